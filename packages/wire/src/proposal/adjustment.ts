import type { Usdt } from '@quipu/core'
import type { ProposalNote } from '@quipu/core/operator'
import { members, oneOf } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { positiveUsdt, readUsdt } from '../json/money.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { noteMembers } from '../json/note.ts'

export const adjustmentRequest = members({
  direction: oneOf(['in', 'out']).meta({ description: '`in` adds to the available balance.' }),
  amount: positiveUsdt,
  difference_id: id('dif')
    .optional()
    .meta({
      description:
        'Books an open difference of the wallet’s available balance: it already has the amount too much (`in`) or too little (`out`). The adjustment is posted, the balance stays. Always needs another operator.',
    }),
  ...noteMembers,
}).meta({ id: 'AdjustmentRequest' })

/** A proposed adjustment of a wallet, in micro-USDT, and its note. */
export type AdjustmentRequest = {
  readonly adjustment: { readonly direction: 'in' | 'out'; readonly amount: Usdt; readonly differenceId?: string }
  readonly note: ProposalNote
}

/** Reads the body of `POST /operator/v1/tenants/{id}/adjustments`. */
export const parseAdjustment = (body: unknown): Parsed<AdjustmentRequest> =>
  mapParsed(
    parse(adjustmentRequest, body),
    ({ direction, amount, reason, evidence = null, difference_id: differenceId }) => ({
      adjustment: { direction, amount: readUsdt(amount), ...(differenceId !== undefined && { differenceId }) },
      note: { reason, evidence },
    }),
  )
