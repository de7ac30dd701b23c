import { type Bob, parseMoney } from '@quipu/core'
import { z } from 'zod'

/** Text that PostgreSQL can store: no NUL and no lone surrogate. */
export const Text: z.ZodType<string> = z
  .string()
  .refine((text) => text.isWellFormed() && !text.includes('\0'))

/** A reference or a code: 1 to 255 characters. */
export const Id: z.ZodType<string> = Text.refine((text) => text.length > 0 && text.length <= 255)

/** A decimal string of bolivianos such as `"100.00"`, never a JSON number. */
export const Bolivianos: z.ZodType<Bob, string> = z.string().transform((text, context) => {
  const amount = parseMoney('BOB', text)
  if (amount) return amount
  context.addIssue('not an amount')
  return z.NEVER
})

export const PositiveBolivianos: z.ZodType<Bob, string> = Bolivianos.refine(
  ({ minor }) => minor > 0n,
)

/** An ISO 8601 instant in UTC. */
export const Instant: z.ZodType<Date, string> = z.iso.datetime().transform((text) => new Date(text))

/** The body of an error answer. */
export const Refusal: z.ZodType<{ code: string }> = z.object({ code: Id })

/** Names of the invalid members, without their values. */
export const invalidMembers = ({ issues }: z.ZodError): string =>
  issues.map(({ path }) => path.join('.') || 'body').join(', ')
