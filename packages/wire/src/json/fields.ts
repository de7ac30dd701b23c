import { z } from 'zod'
import { isInstant, instantPattern } from './instant.ts'

/** The message of a field that breaks its rule or is missing. */
export const ruleMessage =
  (rule: string) =>
  (issue: { readonly input?: unknown }): string =>
    issue.input === undefined ? `is required and ${rule}` : rule

/** An object of a request, with these members and no others. */
export function members<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  context = 'here',
): z.ZodObject<Shape, z.core.$strict> {
  const names = Object.keys(shape).join(', ')
  const allowed = names === '' ? '' : `; allowed are ${names}`
  const rule = ruleMessage('must be a JSON object')
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? `is not allowed ${context}${allowed}` : rule(issue)),
  })
}

/** The parameters of a query, and no others. */
export const queryMembers = <Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> =>
  members(shape, 'in the query')

/**
 * Text that matches a pattern in whole. Lengths in a `u` pattern are code points.
 *
 * The error of a schema is also that of its checks, so a check needs none of its own.
 */
export const matching = (pattern: RegExp, rule: string): z.ZodString =>
  z.string({ error: ruleMessage(rule) }).regex(pattern)

/**
 * The pattern of any text in the document, beside its lengths. Generated clients compile it in their language: Go's and
 * PHP's expressions know neither `\u0000` nor surrogates, Go's count to 1000, and JavaScript's count UTF-16 units.
 */
const withoutNul = String.raw`^[^\x00]*$`

const unicodeText = (min: number, max: number, rule: string): z.ZodString =>
  matching(new RegExp(`^[^\\u0000\\uD800-\\uDFFF]{${min},${max}}$`, 'u'), rule)

/**
 * Text of `min` to `max` code points, not trimmed.
 *
 * NUL and unpaired surrogates are refused: PostgreSQL and UTF-8 cannot represent them.
 */
export const text = (min: number, max: number): z.ZodString =>
  unicodeText(
    min,
    max,
    `must be a string of ${min === 0 ? 'at most' : `${min} to`} ${max} characters, without NUL or unpaired surrogates`,
  ).meta({ minLength: min, maxLength: max, pattern: withoutNul })

/** Controls, line breaks, and what reorders or hides text: a name is shown, and sent to a mail gateway. */
export const unseen = String.raw`\u0000-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF`

/** As `unseen`, in the words of every language: with escapes of two digits, and the other characters themselves. */
const withoutUnseen = `^[^${String.raw`\x00-\x1F\x7F-\x9F\xAD`}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]*$`

/** A name that is shown: 1 to `max` characters, none of them of `unseen`. */
export const nameText = (max: number): z.ZodString =>
  matching(
    new RegExp(`^[^${unseen}\\uD800-\\uDFFF]{1,${max}}$`, 'u'),
    `must be a string of 1 to ${max} characters, without control characters, line breaks, and characters that reorder or hide text`,
  ).meta({ minLength: 1, maxLength: max, pattern: withoutUnseen })

/** Text of 1 to `max` bytes of UTF-8, without NUL or unpaired surrogates. */
export const utf8Text = (max: number): z.ZodString => {
  const rule = `must be a string of 1 to ${max} bytes of UTF-8, without NUL or unpaired surrogates`
  return unicodeText(1, max, rule)
    .refine((value) => Buffer.byteLength(value) <= max)
    .meta({ minLength: 1, maxLength: max, 'x-max-utf8-bytes': max, pattern: withoutNul })
}

/** The words of a union type as a list: the compiler demands each of them, and no other. */
export const wordsOf = <Word extends string>(words: Readonly<Record<Word, true>>): Word[] =>
  Object.keys(words) as Word[]

/** One of a few words. */
export const oneOf = <const Words extends readonly string[]>(words: Words): OneOf<Words> =>
  z.enum(words, { error: ruleMessage(`must be ${wordList(words)}`) })
type OneOf<Words extends readonly string[]> = z.ZodEnum<{ [W in Words[number]]: W }>

/** `a, b or c`. */
export const wordList = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Any 8-4-4-4-12 hexadecimal digits; version and variant are not checked. */
export const uuid: z.ZodString = matching(
  /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
  'must be a UUID: 8-4-4-4-12 hexadecimal digits',
).meta({ format: 'uuid' })

const instantWords = 'must be an ISO 8601 instant with a zone, such as 2026-11-20T15:04:05.000Z'
/** In a query `+` is a blank. */
const lostPlus = /T.* \d\d(?::?\d\d)?$/

const instantRule = (issue: { readonly input?: unknown }): string =>
  typeof issue.input === 'string' && lostPlus.test(issue.input)
    ? `${instantWords}; + is sent as %2B in a URL`
    : ruleMessage(instantWords)(issue)

/** ISO 8601 with a zone. */
export const instant: z.ZodString = z
  .string({ error: instantRule })
  .refine(isInstant)
  .meta({ format: 'date-time', pattern: instantPattern.source })

/** A whole number. */
export const integer = (min: number, max: number): z.ZodNumber => {
  const error = ruleMessage(`must be a whole number from ${min} to ${max}`)
  return z.int({ error }).min(min).max(max)
}
