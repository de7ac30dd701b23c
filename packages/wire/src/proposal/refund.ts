import type { Usdt } from '@quipu/core'
import type { ProposalNote } from '@quipu/core/operator'
import { members } from '../json/fields.ts'
import { positiveUsdt, readUsdt } from '../json/money.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { noteMembers } from '../json/note.ts'

export const refundRequest = members({
  amount: positiveUsdt
    .optional()
    .meta({ description: 'At most the payout’s `source.amount`, which it is when left out.' }),
  ...noteMembers,
}).meta({ id: 'RefundRequest' })

/** A proposed refund of a payout, in micro-USDT, and its note. */
export type RefundRequest = {
  /** Null: the payout's price. */
  readonly amount: Usdt | null
  readonly note: ProposalNote
}

/** Reads the body of `POST /operator/v1/payouts/{id}/refund`. */
export const parseRefund = (body: unknown): Parsed<RefundRequest> =>
  mapParsed(parse(refundRequest, body), ({ amount, reason, evidence = null }) => ({
    amount: amount === undefined ? null : readUsdt(amount),
    note: { reason, evidence },
  }))
