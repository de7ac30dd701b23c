import type { IdPrefix } from '@quipu/core/adapter'
import type { z } from 'zod'
import { matching, uuid, wordsOf } from './fields.ts'

const ulid = '[0-7][0-9A-HJKMNP-TV-Z]{25}'

const prefixes = {
  po: true,
  qrr: true,
  dep: true,
  we: true,
  wal: true,
  wtx: true,
  dlv: true,
  ten: true,
  key: true,
  prp: true,
  nwc: true,
  dif: true,
  swb: true,
  swp: true,
  rcn: true,
  opt: true,
  prc: true,
  scr: true,
  alt: true,
  trm: true,
  nte: true,
} as const

const patterns = Object.fromEntries(
  wordsOf<IdPrefix>(prefixes).map((prefix) => [prefix, new RegExp(`^${prefix}_${ulid}$`)]),
) as Readonly<Record<IdPrefix, RegExp>>

/** Whether the text has the form of an id of this kind. Any other text is a 404. */
export const isId = (prefix: IdPrefix, text: string): boolean => patterns[prefix].test(text)

/** The UUID in lower case; undefined when the text is no UUID, which is a 404. */
export const parseUuid = (text: string): string | undefined =>
  uuid.safeParse(text).success ? text.toLowerCase() : undefined

/** The schema of an id of this kind. */
export const id = (prefix: IdPrefix): z.ZodString =>
  matching(patterns[prefix], `must be an id that begins with ${prefix}_`).meta({
    examples: [`${prefix}_01K6HZ8M00000000000000000A`],
  })

/** The tenant's own id of a payout. @source spec §4 `transaction_id` */
export const transactionId: z.ZodString = matching(
  /^[A-Za-z0-9._:-]{1,100}$/,
  'must be 1 to 100 characters from A-Z a-z 0-9 . _ : -',
).meta({
  minLength: 1,
  maxLength: 100,
  description: 'Your own id of the payout, and its idempotency key.',
  examples: ['order-2026-000123'],
})

/**
 * The id of a resolution as a request may name it.
 *
 * Accepts more than the ids that the service makes, so that an unknown id is a 404 and not a 400.
 */
export const resolutionIdReference: z.ZodString = matching(
  /^qrr_[A-Za-z0-9_-]{1,64}$/,
  'must be an id that begins with qrr_',
)
