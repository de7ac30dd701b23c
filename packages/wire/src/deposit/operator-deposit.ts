import type { Deposit } from '@quipu/core'
import { type AllDepositsQuery, type DepositAttempts, type DepositReturn, reviewCodes } from '@quipu/core/adapter'
import type { Evidence } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { depositFilters, depositMembers } from './deposit.ts'
import { depositMembersToJson } from './deposit-to-json.ts'
import { matching, members, oneOf, queryMembers, ruleMessage, text } from '../json/fields.ts'
import { evidenceRequest } from '../json/note.ts'
import { id as idOf } from '../json/identifier.ts'
import { parseFilteredList } from '../list/filtered-list.ts'
import { txHashFilter } from '../json/chain.ts'
import { instantToJson } from '../json/instant.ts'
import { type ListRequest, pageOf } from '../list/list.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'

const closing = z
  .object({
    at: time,
    actor: z
      .string()
      .nullable()
      .meta({
        description: 'The name of the operator’s token; null when the amount was too small for a review.',
        examples: ['olivia'],
      }),
    reason: z.string().meta({ examples: ['Returned to the sender.'] }),
  })
  .nullable()
  .meta({ description: 'Set when it was decided not to credit it.' })

const { id, ...others } = depositMembers

/** A deposit as operators see it: with its tenant and the closing of its review. */
export const operatorDeposit = z
  .object({ id, tenant_id: idText('ten'), ...others, closed: closing })
  .meta({ id: 'OperatorDeposit' })
export type OperatorDepositJson = z.output<typeof operatorDeposit>

export function operatorDepositToJson(deposit: Deposit): OperatorDepositJson {
  const { id, ...others } = depositMembersToJson(deposit)
  const closed = deposit.status === 'in_review' ? deposit.closed : null
  return {
    id,
    tenant_id: deposit.tenantId,
    ...others,
    closed: closed && { at: instantToJson(closed.at), actor: closed.actor, reason: closed.reason },
  }
}

/** One deposit, with the attempts to decide it. */
export const operatorDepositDetail = operatorDeposit
  .extend({
    screening: z
      .string()
      .nullable()
      .meta({
        description: 'The answer of screening that its settlement rests on; null when nobody was screened.',
        examples: ['clear: sanctions 2026-11-20'],
      }),
    attempts: z
      .object({
        count: z.int().min(0),
        problem: z.string().nullable().meta({ description: 'Why the last one has not decided it.' }),
        next_at: time,
      })
      .nullable()
      .meta({ description: 'Null unless solid blocks have the transfer and a worker has to decide it.' }),
  })
  .meta({ id: 'OperatorDepositDetail' })
export type OperatorDepositDetailJson = z.output<typeof operatorDepositDetail>

export const operatorDepositDetailToJson = (
  deposit: Deposit,
  attempts: DepositAttempts | undefined,
  screening: string | null,
): OperatorDepositDetailJson => ({
  ...operatorDepositToJson(deposit),
  screening,
  attempts:
    attempts === undefined
      ? null
      : { count: attempts.claimCount, problem: attempts.problem, next_at: instantToJson(attempts.nextAt) },
})

export const operatorDepositPage = pageOf(operatorDeposit, 'OperatorDepositPage')

export const operatorDepositListQuery = queryMembers({
  open: oneOf(['true', 'false'])
    .meta({ description: 'With `true`, without those that were closed.', default: 'false' })
    .optional(),
  tenant_id: idOf('ten').optional(),
  review_code: oneOf(reviewCodes)
    .meta({ description: 'Why it is `in_review`.', examples: ['AMOUNT_BELOW_MINIMUM'] })
    .optional(),
  tx_hash: txHashFilter.optional(),
  address: text(1, 64)
    .meta({ description: 'The tenant’s top-up address.', examples: ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'] })
    .optional(),
  ...depositFilters,
})

/** Reads the query of `GET /operator/v1/deposits`: of all tenants. */
export const parseOperatorDepositList = (search: URLSearchParams | string): Parsed<ListRequest<AllDepositsQuery>> =>
  mapParsed(
    parseFilteredList(operatorDepositListQuery, ['deposits', 'operator'], search),
    ({ filters: { open, ...filters }, page, scope }) => ({
      query: { ...page, ...filters, ...(open && { open: open === 'true' }) },
      scope,
    }),
  )

export const creditDepositRequest = members({
  reason: text(1, 500).meta({ examples: ['The sender confirmed the transfer in writing.'] }),
}).meta({ id: 'CreditDepositRequest' })

/** Reads the body of `POST /operator/v1/deposits/{id}/credit`. */
export const parseCreditDeposit = (body: unknown): Parsed<{ readonly reason: string }> =>
  parse(creditDepositRequest, body)

export const returnDepositRequest = members({
  to_address: matching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/, 'an address of the chain: T and 33 characters').meta({
    description:
      'Where the tokens went. Ask the tenant for it: the sender may be an exchange, whose address takes nothing back.',
    examples: ['TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'],
  }),
  tx_hash: matching(/^[0-9a-f]{64}$/, 'a transaction’s id: 64 hexadecimal digits, lower case').meta({
    description: 'The transaction that moved them from the top-up address.',
    examples: ['c5a1d7b2f0e94836a7d1c3e58f6b204d9e7ac1503b8f4d26e1970a5c4b3d2e1f'],
  }),
  reason: text(1, 500).meta({ examples: ['Returned: the sender is blocked.'] }),
  evidence: evidenceRequest,
}).meta({ id: 'ReturnDepositRequest' })

/** A return as an operator proposes it. */
export type ReturnRequest = {
  readonly returned: DepositReturn
  readonly note: { readonly reason: string; readonly evidence: Evidence }
}

/** Reads the body of `POST /operator/v1/deposits/{id}/return`. */
export const parseReturnDeposit = (body: unknown): Parsed<ReturnRequest> =>
  mapParsed(parse(returnDepositRequest, body), ({ to_address: toAddress, tx_hash: txHash, reason, evidence }) => ({
    returned: { toAddress, txHash },
    note: { reason, evidence },
  }))

export const closeDepositRequest = members({
  reason: text(1, 500).meta({ examples: ['Returned to the sender.'] }),
}).meta({ id: 'CloseDepositRequest' })

const depositsRule = ruleMessage('must be a list of 1 to 100 ids of deposits, each once')

export const closeDepositsRequest = members({
  deposit_ids: z
    .array(idOf('dep'), { error: depositsRule })
    .min(1, { error: depositsRule })
    .max(100, { error: depositsRule })
    .refine((ids) => new Set(ids).size === ids.length, { error: depositsRule })
    .meta({ examples: [['dep_01K6HZ8M00000000000000000A']] }),
  reason: text(1, 500).meta({ examples: ['Too small to credit.'] }),
}).meta({ id: 'CloseDepositsRequest' })

/** Reviews as an operator closes them together. */
export type CloseDepositsRequest = { readonly depositIds: readonly string[]; readonly reason: string }

/** Reads the body of `POST /operator/v1/tenants/{id}/deposits/close`. */
export const parseCloseDeposits = (body: unknown): Parsed<CloseDepositsRequest> =>
  mapParsed(parse(closeDepositsRequest, body), ({ deposit_ids: depositIds, reason }) => ({ depositIds, reason }))

/** Reads the body of `POST /operator/v1/deposits/{id}/close`. */
export const parseCloseDeposit = (body: unknown): Parsed<{ readonly reason: string }> =>
  parse(closeDepositRequest, body)
