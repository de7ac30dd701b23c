import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { uuidText } from '../json/answer.ts'
import { parseNoQuery } from '../json/empty.ts'
import { send } from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import {
  operatorFaucetSend,
  operatorFaucetSendListQuery,
  operatorFaucetSendPage,
  operatorFaucetSendToJson,
  parseOperatorFaucetSendList,
} from './operator-faucet-send.ts'

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
