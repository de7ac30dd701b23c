import type { PayoutQuery } from '@quipu/core'
import { cursorScope } from './cursor.ts'
import { instant, members, oneOf } from './fields.ts'
import { transactionId } from './identifier.ts'
import { ceilToMs, compareInstants, floorToMs, parseInstant } from './instant.ts'
import { type ListRequest, pageOf, pageParameters, parseQuery, readPage } from './list.ts'
import { type Issue, mapParsed, oncePerField, type Parsed } from './parsed.ts'
import { payoutTypes } from './payout-request.ts'
import { payout } from './payout.ts'

/** The query of `GET /v1/payouts`. @source spec §4 */
export const payoutListQuery = members(
  {
    transaction_id: transactionId.meta({ description: 'Only the payout with this id.' }).optional(),
    type: oneOf(payoutTypes).optional(),
    status: oneOf(['completed', 'failed', 'rejected', 'cancelled']).optional(),
    from: instant.meta({ description: 'Created at or after.' }).optional(),
    to: instant.meta({ description: 'Created at or before.' }).optional(),
    ...pageParameters,
  },
  'in the query',
)

export const payoutPage = pageOf(payout, 'PayoutPage')

export type PayoutListRequest = ListRequest<PayoutQuery> & {
  /** No payout of type `bank_transfer` can exist: that list is empty. */
  readonly type?: (typeof payoutTypes)[number]
}

/** Reads the query of `GET /v1/payouts`. */
export function parsePayoutList(
  tenantId: string,
  search: URLSearchParams | string,
): Parsed<PayoutListRequest> {
  const parameters = new URLSearchParams(search)
  const parsed = parseQuery(payoutListQuery, parameters)
  const disorder = outOfOrder(parameters)
  if (!parsed.ok || disorder)
    return {
      ok: false,
      issues: oncePerField([...(parsed.ok ? [] : parsed.issues), ...(disorder ? [disorder] : [])]),
    }

  const { transaction_id, type, status, from, to, ...page } = parsed.value
  const period = { ...bound('from', from, ceilToMs), ...bound('to', to, floorToMs) }
  const scope = cursorScope('payouts', tenantId, {
    ...(transaction_id && { transaction_id }),
    ...(type && { type }),
    ...(status && { status }),
    ...Object.fromEntries(Object.entries(period).map(([name, at]) => [name, at.toISOString()])),
  })
  return mapParsed(readPage(page, scope), (query) => ({
    query: {
      ...query,
      ...(transaction_id && { transactionId: transaction_id }),
      ...(status && { status }),
      ...period,
    },
    ...(type && { type }),
    scope,
  }))
}

function bound<Name extends 'from' | 'to'>(
  name: Name,
  text: string | undefined,
  round: typeof ceilToMs,
): { [N in Name]?: Date } {
  const at = text === undefined ? undefined : parseInstant(text)
  return (at ? { [name]: round(at) } : {}) as { [N in Name]?: Date }
}

function outOfOrder(parameters: URLSearchParams): Issue | undefined {
  const from = parseInstant(parameters.get('from') ?? '')
  const to = parseInstant(parameters.get('to') ?? '')
  return from && to && compareInstants(from, to) > 0
    ? { field: 'from', message: 'must not be after to' }
    : undefined
}
