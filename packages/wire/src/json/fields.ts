import { z } from 'zod'
import { isInstant, instantPattern } from './instant.ts'

/** The message of a field that breaks its rule, also when it is missing. */
export const says =
  (rule: string) =>
  (issue: { readonly input?: unknown }): string =>
    issue.input === undefined ? `is required and ${rule}` : rule

/** An object of a request: it has these members and no others. */
export function members<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  context = 'here',
): z.ZodObject<Shape, z.core.$strict> {
  const names = Object.keys(shape).join(', ')
  const allowed = names === '' ? '' : `; allowed are ${names}`
  const rule = says('must be a JSON object')
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `is not allowed ${context}${allowed}` : rule(issue),
  })
}

/** Text that matches a pattern in whole. Lengths in a `u` pattern are code points. */
export const matching = (pattern: RegExp, rule: string): z.ZodString =>
  z.string({ error: says(rule) }).regex(pattern, { error: says(rule) })

/**
 * Any text of so many code points, nothing trimmed.
 *
 * NUL and unpaired surrogates are refused: no database or UTF-8 encoder keeps them.
 */
export const text = (min: number, max: number): z.ZodString =>
  matching(
    new RegExp(`^[^\\u0000\\uD800-\\uDFFF]{${min},${max}}$`, 'u'),
    `must be a string of ${min === 0 ? 'at most' : `${min} to`} ${max} characters, without NUL or unpaired surrogates`,
  ).meta({ minLength: min, maxLength: max })

/** Text of 1 to `max` bytes of UTF-8, without NUL or unpaired surrogates. */
export const utf8Text = (max: number): z.ZodString => {
  const rule = `must be a string of 1 to ${max} bytes of UTF-8, without NUL or unpaired surrogates`
  return matching(new RegExp(`^[^\\u0000\\uD800-\\uDFFF]{1,${max}}$`, 'u'), rule)
    .refine((value) => Buffer.byteLength(value) <= max, { error: rule })
    .meta({ minLength: 1, maxLength: max, 'x-max-utf8-bytes': max })
}

/** One of a few words. */
export const oneOf = <const Words extends readonly string[]>(words: Words): OneOf<Words> =>
  z.enum(words, { error: says(`must be ${listed(words)}`) })
type OneOf<Words extends readonly string[]> = z.ZodEnum<{ [W in Words[number]]: W }>

/** `a, b or c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Any 8-4-4-4-12 hexadecimal digits: version and variant are not looked at. */
export const uuid: z.ZodString = matching(
  /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
  'must be a UUID: 8-4-4-4-12 hexadecimal digits',
).meta({ format: 'uuid' })

const instantRule = says(
  'must be an ISO 8601 instant with a zone, such as 2026-11-20T15:04:05.000Z',
)

/** ISO 8601 with a zone. */
export const instant: z.ZodString = z
  .string({ error: instantRule })
  .refine(isInstant, { error: instantRule })
  .meta({ format: 'date-time', pattern: instantPattern.source })

/** A whole number. */
export const integer = (min: number, max: number): z.ZodNumber => {
  const error = says(`must be a whole number from ${min} to ${max}`)
  return z.int({ error }).min(min, { error }).max(max, { error })
}
