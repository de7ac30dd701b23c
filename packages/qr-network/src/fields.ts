import { type Bob, parseMoney } from '@quipu/core'
import { qrContentMax } from '@quipu/core/adapter'
import { z } from 'zod'

/** The character that the lenient decoding of a damaged byte leaves; no fact contains it. */
const replacement = '\uFFFD'
const shownMax = 255

/**
 * A text that is only shown: a name, a description. NUL is taken out, and half a character becomes U+FFFD, so that
 * PostgreSQL can store it; a number is its digits; null, an absent or another value is empty. At most 255 characters.
 */
export const Shown: z.ZodType<string> = z
  .unknown()
  .optional()
  .transform((value) => {
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string') return ''
    return Array.from(text.replaceAll('\0', '').toWellFormed()).slice(0, shownMax).join('')
  })

/** A text that decides: it is as the network wrote it, or invalid. PostgreSQL can store it. */
const Fact: z.ZodType<string> = z.string().refine((text) => text.isWellFormed() && !/[\0\uFFFD]/.test(text))

/** A reference or a code: 1 to 255 characters. */
export const Id: z.ZodType<string> = Fact.refine((text) => text.length > 0 && text.length <= 255)

/** An id of another system's record, cleaned so that it stays different from every id of ours. */
export const ForeignId: z.ZodType<string> = z
  .string()
  .transform((text) => text.toWellFormed().replaceAll('\0', replacement))
  .refine((text) => text.length > 0 && text.length <= 255)

/** The content of a QR: 1 to `qrContentMax` characters. */
export const Content: z.ZodType<string> = Fact.refine(({ length }) => length > 0 && length <= qrContentMax)

/** A decimal string of bolivianos such as `"100.00"`, never a JSON number. */
export const Bolivianos: z.ZodType<Bob, string> = z.string().transform((text, context) => {
  const amount = parseMoney('BOB', text)
  if (amount) return amount
  context.addIssue('not an amount')
  return z.NEVER
})

export const PositiveBolivianos: z.ZodType<Bob, string> = Bolivianos.refine(({ minor }) => minor > 0n)

/** An ISO 8601 instant with a zone: `Z`, or an offset such as `-04:00`. */
export const Instant: z.ZodType<Date, string> = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((at) => at.getUTCFullYear() > 0)

/** An instant that is only shown, as the network itself applies it; null when it cannot be read. */
export const ShownInstant: z.ZodType<Date | null> = Instant.nullable()
  .optional()
  .catch(null)
  .transform((at) => at ?? null)

/** The merchant of a QR. Its members are only shown. */
export const Merchant: z.ZodType<{ name: string; bankCode: string }> = z
  .object({ name: Shown, bank_code: Shown })
  .transform(({ name, bank_code: bankCode }) => ({ name, bankCode }))

/** The body of an error answer. */
export const Refusal: z.ZodType<{ code: string }> = z.object({ code: Shown.refine((code) => code !== '') })

/** Names of the invalid members, without their values. */
export const invalidMembers = ({ issues }: z.ZodError): string =>
  issues.map(({ path }) => path.join('.') || 'body').join(', ')
