import { type Bob, parseMoney } from '@quipu/core'
import { z } from 'zod'

/** Text that a database can keep: no NUL and no half of a surrogate pair. */
export const Text: z.ZodType<string> = z
  .string()
  .refine((text) => text.isWellFormed() && !text.includes('\0'))

/** A reference or a code: never empty. */
export const Id: z.ZodType<string> = Text.refine((text) => text.length > 0 && text.length <= 255)

/** `"100.00"`: a decimal string of bolivianos, never a JSON number. */
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

/** The body of an answer that is not 200 or 201. */
export const Refusal: z.ZodType<{ code: string }> = z.object({ code: Id })

/** Which members do not fit; never what they held. */
export const misfit = ({ issues }: z.ZodError): string =>
  issues.map(({ path }) => path.join('.') || 'body').join(', ')
