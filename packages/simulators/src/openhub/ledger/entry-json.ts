import { z } from 'zod'
import { states, type Entry } from './ledger-state.ts'

const Minor = z.string().regex(/^\d+$/).transform(BigInt)
/** Below zero when less is left than came in by movements. */
const Total = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt)
const Time = z.int()

const Order = z.strictObject({
  id: z.int(),
  transaccionId: z.string(),
  scanned: z.string(),
  reference: z.string(),
  account: z.string(),
  amount: Minor,
  commission: Minor,
  isCommissionRow: z.boolean(),
  glosa: z.string(),
  merchant: z.strictObject({ name: z.string(), bankCode: z.string() }),
  state: z.enum(states),
  next: z.strictObject({ state: z.enum(states), at: Time }).nullable(),
  createdAt: Time,
  paidAt: Time.nullable(),
  returnedAt: Time.nullable(),
})

const Movement = z.strictObject({
  account: z.string(),
  type: z.enum(['D', 'C']),
  transactionId: z.string(),
  operation: z.string(),
  amount: Minor,
  at: Time,
})

/** A stored entry. */
export const EntryJson: z.ZodType<Entry> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('funded'), account: z.string(), total: Total }),
  z.strictObject({
    type: z.literal('read'),
    reading: z.strictObject({ reference: z.string(), content: z.string(), at: Time }),
  }),
  z.strictObject({ type: z.literal('order'), order: Order }),
  z.strictObject({ type: z.literal('moved'), movements: z.array(Movement) }),
])
