import type { PayoutQuery } from '@quipu/core/adapter'
import { oneOf, queryMembers, text, wordsOf } from '../json/fields.ts'
import { parseFilteredList, periodParameters } from '../list/filtered-list.ts'
import { transactionId } from '../json/identifier.ts'
import { type ListRequest, pageOf } from '../list/list.ts'
import { mapParsed, type Parsed, type Rule } from '../json/parsed.ts'
import { descriptionMax, metadata, payoutTypes } from './payout-request.ts'
import { payout } from './payout.ts'

/** `processing` is no filter. @source spec §4 */
const endStatuses = wordsOf<NonNullable<PayoutQuery['status']>>({
  completed: true,
  failed: true,
  rejected: true,
  cancelled: true,
})

/** The query of `GET /v1/payouts`. @source spec §4 */
export const payoutListQuery = queryMembers({
  transaction_id: transactionId.meta({ description: 'Only the payout with this id.' }).optional(),
  type: oneOf(payoutTypes).optional(),
  status: oneOf(endStatuses).optional(),
  open: oneOf(['true'])
    .meta({ description: 'Only payouts that are still in `processing`; without `status`.' })
    .optional(),
  description: text(1, descriptionMax)
    .meta({ description: 'Only payouts with this description.', examples: ['Order 123'] })
    .optional(),
  metadata: metadata
    .meta({
      description: 'Only payouts that have this member: `metadata[order]=123`. Several must all be equal.',
      examples: [{ order: '123' }],
      param: { style: 'deepObject', explode: true },
    })
    .optional(),
  ...periodParameters,
})

/** An ended payout is not open. */
const openAlone: Rule = ({ open, status }) =>
  open !== undefined && status !== undefined ? [{ field: 'status', message: 'must be left out with open' }] : []

export const payoutPage = pageOf(payout, 'PayoutPage')

/** The query of `GET /v1/payouts`. */
export type PayoutListRequest = ListRequest<PayoutQuery> & {
  /** No payout has the type `bank_transfer`: that list is empty. */
  readonly type?: (typeof payoutTypes)[number]
}

/** Reads the query of `GET /v1/payouts`. */
export const parsePayoutList = (tenantId: string, search: URLSearchParams | string): Parsed<PayoutListRequest> =>
  mapParsed(
    parseFilteredList(payoutListQuery, ['payouts', tenantId], search, openAlone),
    ({ filters: { type, open, ...filters }, page, scope }) => ({
      query: { ...page, ...filters, ...(open && { isOpen: true }) },
      ...(type && { type }),
      scope,
    }),
  )
