import { type AmountMode, qrContentMax } from '@quipu/core/adapter'
import { z } from 'zod'
import { text, wordsOf } from '../json/fields.ts'

/** The raw content of a QR. Only the network parses it. */
export const qrContent: z.ZodString = text(1, qrContentMax).meta({
  description: 'The raw content of the QR, as scanned.',
  examples: ['MOCK:CLOSED:100.00'],
})

export const amountMode = z
  .enum(wordsOf<AmountMode>({ closed: true, open: true }))
  .meta({ description: '`closed`: the QR fixes the amount. `open`: the payer chooses it.' })

export const merchant = z
  .object({ name: z.string(), bank_code: z.string() })
  .meta({ id: 'Merchant', description: 'The merchant that the QR names.' })
export type MerchantJson = z.output<typeof merchant>
