import { z } from 'zod'
import type { Entry } from './ledger-state.ts'
import { finalOutcomes } from '../qr/scenario.ts'

const Minor = z.string().regex(/^\d+$/).transform(BigInt)

/** A stored entry. */
export const EntryJson: z.ZodType<Entry> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('funded'), total: Minor }),
  z.strictObject({
    type: z.literal('cancelled'),
    cancelled: z.strictObject({ reference: z.string(), outcome: z.literal('closed_unpaid'), updatedAt: z.int() }),
  }),
  z.strictObject({
    type: z.literal('payment'),
    payment: z.strictObject({
      reference: z.string(),
      networkRef: z.string(),
      fingerprint: z.string(),
      outcome: z.enum([...finalOutcomes, 'pending']),
      finalOutcome: z.enum(finalOutcomes).nullable(),
      settleAt: z.int().nullable(),
      requested: Minor,
      amount: Minor,
      currency: z.enum(['BOB', 'USD']),
      description: z.string(),
      merchant: z.strictObject({ name: z.string(), bankCode: z.string() }),
      sequence: z.int().nullable(),
      timesPaid: z.int(),
      paidAt: z.int().nullable(),
      updatedAt: z.int(),
    }),
  }),
])
