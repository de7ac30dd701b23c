import type { FaucetSend } from '@quipu/core'
import type { AllFaucetSendsQuery } from '@quipu/core/operator'
import { z } from 'zod'
import { addressText, txHashFilter } from '../json/chain.ts'
import { faucetSend, faucetSendToJson } from './faucet.ts'
import { idText, uuidText } from '../json/answer.ts'
import { oneOf, queryMembers, text, wordsOf } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import type { Parsed } from '../json/parsed.ts'
import { parseList } from '../list/filtered-list.ts'
import { type ListRequest, pageOf, pageParameters } from '../list/list.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { send } from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'

const { id: sendId, ...others } = faucetSend.shape

/** A faucet send as operators see it. */
export const operatorFaucetSend = z
  .object({ id: sendId, tenant_id: idText('ten'), ...others })
  .meta({ id: 'OperatorFaucetSend' })
export type OperatorFaucetSendJson = z.output<typeof operatorFaucetSend>

export function operatorFaucetSendToJson(send: FaucetSend): OperatorFaucetSendJson {
  const { id, ...others } = faucetSendToJson(send)
  return { id, tenant_id: send.tenantId, ...others }
}

const operatorFaucetSendPage = pageOf(operatorFaucetSend, 'OperatorFaucetSendPage')

const statuses = wordsOf<FaucetSend['status']>({ submitted: true, confirmed: true, failed: true })

const operatorFaucetSendListQuery = queryMembers({
  tenant_id: id('ten').optional(),
  status: oneOf(statuses).optional(),
  address: text(1, 64)
    .meta({ description: 'The receiving address.', examples: addressText.meta()?.examples ?? [] })
    .optional(),
  tx_hash: txHashFilter.optional(),
  ...pageParameters,
})

/** Reads the query of `GET /operator/v1/faucet-sends`. */
export const parseOperatorFaucetSendList = (
  search: URLSearchParams | string,
): Parsed<ListRequest<AllFaucetSendsQuery>> =>
  parseList(operatorFaucetSendListQuery, ['faucet_sends', 'operator'], search)

const listSends = operation({
  id: 'listFaucetSends',
  tag: 'Faucet sends',
  summary: 'List the faucet sends of all tenants, newest first',
  description:
    'A filtered page may have fewer items than its limit and still a `next_cursor`. In production there are none.',
  access: 'operator',
  query: operatorFaucetSendListQuery,
  answers: lastPage(operatorFaucetSendPage, [send], operatorFaucetSendToJson),
  refused: parseOperatorFaucetSendList('status=sent&limit=0'),
})

const getSend = operation({
  id: 'getFaucetSend',
  tag: 'Faucet sends',
  summary: 'Read a faucet send of any tenant',
  access: 'operator',
  path: z.object({ id: uuidText.meta({ examples: [send.id] }) }),
  answers: ok('The send.', operatorFaucetSend, { send: operatorFaucetSendToJson(send) }),
  refused: parseNoQuery('expand=tenant'),
  errors: ['NOT_FOUND'],
})

export const operatorFaucetSendPaths: ZodOpenApiPathsObject = {
  '/operator/v1/faucet-sends': { get: listSends },
  '/operator/v1/faucet-sends/{id}': { get: getSend },
}
