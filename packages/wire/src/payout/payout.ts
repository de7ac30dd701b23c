import type { PayoutErrorCode, PayoutStatus } from '@quipu/core'
import { payoutMessages } from '@quipu/core/adapter'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { wordsOf } from '../json/fields.ts'
import { bobMoney, usdtMoney } from '../json/money.ts'
import { payoutTypes } from './payout-request.ts'
import { quote } from '../quote/quote.ts'
import { amountMode, merchant } from '../quote/qr.ts'

/** @source spec §2 and §3 */
export const payoutStatuses: readonly PayoutStatus[] = wordsOf<PayoutStatus>({
  completed: true,
  cancelled: true,
  rejected: true,
  failed: true,
  processing: true,
})

/** @source spec §7 Payment failure codes */
export const payoutErrorCodes = Object.keys(payoutMessages) as PayoutErrorCode[]

export const networkPaymentId = z
  .string()
  .nullable()
  .meta({
    description:
      'The network’s id of the payment, as on the payer’s receipt; null when nothing was paid or the network gave none.',
  })

const payoutQr = z
  .object({ amount_mode: amountMode.nullable(), merchant: merchant.nullable() })
  .meta({ description: 'Both members are null when the QR could not be read.' })

const payoutError = z
  .object({
    code: z
      .union([z.enum(payoutErrorCodes), z.string()])
      .meta({ description: 'New codes may be added: treat an unknown one by the status of the payout.' }),
    message: z.string().meta({ examples: [payoutMessages.PAYMENT_FAILED] }),
  })
  .meta({
    id: 'PayoutError',
    description: 'Why a payout was not paid.',
    examples: payoutErrorCodes.map((code) => ({ code, message: payoutMessages[code] })),
  })

/** A payout as every answer and event shows it. @source spec §2 Payout */
export const payout = z
  .object({
    id: idText('po'),
    type: z.enum(payoutTypes),
    status: z.enum(payoutStatuses),
    transaction_id: z.string(),
    resolution_id: idText('qrr').nullable().meta({ description: 'The resolution that the quote named, if any.' }),
    quote: quote.nullable().meta({ description: 'Null when no quote was used.' }),
    source: usdtMoney.nullable().meta({ description: 'The amount debited; null when nothing was debited.' }),
    target: bobMoney,
    qr: payoutQr,
    error: payoutError.nullable().meta({ description: 'Set when the status is `failed`, `rejected` or `cancelled`.' }),
    completed_at: time.nullable(),
    created_at: time,
    description: z.string().nullable().meta({ description: 'As the request had it; null without one.' }),
    metadata: z.record(z.string(), z.string()).meta({ description: 'As the request had it; empty without one.' }),
    network_payment_id: networkPaymentId,
  })
  .meta({
    id: 'Payout',
    description:
      '`target` is the amount that the destination receives. When the payout was cancelled for another amount, it is the amount of the QR.',
  })
export type PayoutJson = z.output<typeof payout>
