import { type Reconciliation, toDecimal } from '@quipu/core'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { instantToJson } from '../json/instant.ts'
import { signedUsdtAmount } from '../json/money.ts'

/** @source assumed */
export const reconciliation = z
  .object({
    as_of: time,
    credited: signedUsdtAmount.meta({ description: 'Deposits credited.' }),
    debited: signedUsdtAmount.meta({ description: 'Payouts completed.' }),
    adjusted: signedUsdtAmount.meta({ description: 'Corrections by the operator, in minus out.' }),
    held: signedUsdtAmount.meta({ description: 'Reserved for payouts in `processing`.' }),
    available: signedUsdtAmount,
    balanced: z.boolean().meta({
      description: 'Whether the balance of `GET /v1/wallets` is the same.',
    }),
    deposits_scanned_through: z
      .object({ block: z.int().min(0), at: time })
      .nullable()
      .meta({
        description:
          'Final blocks up to this one were searched for deposits; null before the first.',
      }),
  })
  .meta({
    id: 'Reconciliation',
    description:
      'Summed from every movement of money: `available + held = credited − debited + adjusted`.',
  })
export type ReconciliationJson = z.output<typeof reconciliation>

export const reconciliationToJson = (books: Reconciliation): ReconciliationJson => ({
  as_of: instantToJson(books.asOf),
  credited: toDecimal(books.credited),
  debited: toDecimal(books.debited),
  adjusted: toDecimal(books.adjusted),
  held: toDecimal(books.held),
  available: toDecimal(books.available),
  balanced: books.balanced,
  deposits_scanned_through: books.scannedThrough
    ? { block: books.scannedThrough.number, at: instantToJson(books.scannedThrough.at) }
    : null,
})
