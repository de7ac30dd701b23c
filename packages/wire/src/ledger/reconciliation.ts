import { type Reconciliation, toDecimal } from '@quipu/core'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { instantToJson } from '../json/instant.ts'
import { signedUsdtAmount } from '../json/money.ts'

/** A wallet compared with its postings. */
export const reconciliation = z
  .object({
    as_of: time,
    credited: signedUsdtAmount.meta({ description: 'Deposits credited.' }),
    debited: signedUsdtAmount.meta({ description: 'Payouts completed.' }),
    adjusted: signedUsdtAmount.meta({ description: 'Corrections by the operator, in minus out.' }),
    held: signedUsdtAmount.meta({ description: 'Reserved for payouts in `processing`.' }),
    available: signedUsdtAmount,
    balanced: z.boolean().meta({ description: 'Whether `GET /v1/wallets` has the same balance.' }),
    deposits_scanned_through: z
      .object({ block: z.int().min(0), at: time })
      .nullable()
      .meta({ description: 'The newest final block that was searched for deposits; null before the first.' }),
  })
  .meta({
    id: 'Reconciliation',
    description: 'The sums of all movements of money: `available + held = credited − debited + adjusted`.',
  })
export type ReconciliationJson = z.output<typeof reconciliation>

export const reconciliationToJson = (found: Reconciliation): ReconciliationJson => ({
  as_of: instantToJson(found.asOf),
  credited: toDecimal(found.credited),
  debited: toDecimal(found.debited),
  adjusted: toDecimal(found.adjusted),
  held: toDecimal(found.held),
  available: toDecimal(found.available),
  balanced: found.balanced,
  deposits_scanned_through: found.scannedThrough
    ? { block: found.scannedThrough.number, at: instantToJson(found.scannedThrough.at) }
    : null,
})
