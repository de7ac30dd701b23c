import { type OpenApi, referred, resolved, type Schema } from '../document/open-api.ts'

/** Every keyword of a schema that the page has words for. */
export const knownKeywords: ReadonlySet<string> = new Set<keyof Schema>([
  '$ref',
  'type',
  'const',
  'enum',
  'anyOf',
  'oneOf',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'discriminator',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'x-max-utf8-bytes',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'default',
  'description',
  'examples',
])

const isNull = (schema: Schema): boolean => schema.type === 'null'

/** The choices of a schema but for null, flat. One that has none is its own only choice. */
export function choicesOf(schema: Schema): readonly Schema[] {
  const choices = schema.anyOf ?? schema.oneOf
  return choices ? choices.filter((choice) => !isNull(choice)).flatMap(choicesOf) : [schema]
}

export const isNullable = (schema: Schema): boolean =>
  [schema.type].flat().includes('null') ||
  (schema.anyOf ?? []).some((choice) => isNull(choice) || isNullable(choice))

/** A type in words, each part apart: `string`, `array of`, or the name of a component. */
export type TypeWord = { readonly word: string; readonly schema?: string }

export function typeWords(schema: Schema): TypeWord[] {
  const words = choicesOf(schema).flatMap((choice): TypeWord[] => {
    if (choice.$ref !== undefined)
      return [{ word: referred(choice.$ref), schema: referred(choice.$ref) }]
    if (choice.items) return [{ word: 'array of' }, ...typeWords(choice.items)]
    const types = [choice.type ?? typeof choice.const].flat().filter((type) => type !== 'null')
    return types.map((word) => ({ word }))
  })
  const seen = new Set<string>()
  return words.filter(({ word }) => !seen.has(word) && seen.add(word))
}

/** What a value must be besides its type: prose, and code after it where it is literal. */
export type Limit = { readonly says: string; readonly code?: readonly string[] }

/** The limits of a schema, of all its choices, and of the items of an array. */
export function limitsOf(schema: Schema, document: OpenApi): Limit[] {
  const choices = choicesOf(schema)
  const isOpen = choices.some(
    ({ type, enum: words, ...rest }) =>
      type === 'string' && !words && Object.keys(rest).length === 0,
  )
  return choices.flatMap((choice) =>
    choice.$ref === undefined ? own(choice, isOpen && choices.length > 1, document) : [],
  )
}

function own(schema: Schema, isOpen: boolean, document: OpenApi): Limit[] {
  const { enum: words, format, pattern, default: byDefault, items, propertyNames } = schema
  const values = schema.additionalProperties
  return [
    ...('const' in schema ? [{ says: 'always', code: [literal(schema.const)] }] : []),
    ...(words ? [{ says: isOpen ? 'so far' : 'one of', code: words.map(literal) }] : []),
    ...(format === undefined ? [] : [{ says: format }]),
    ...range('characters', schema.minLength, schema.maxLength),
    ...range('bytes of UTF-8', undefined, schema['x-max-utf8-bytes']),
    ...range('', schema.minimum, schema.maximum),
    ...range('items', schema.minItems, schema.maxItems),
    ...range('members', schema.minProperties, undefined),
    ...(schema.uniqueItems ? [{ says: 'each item once' }] : []),
    ...(byDefault === undefined ? [] : [{ says: 'default', code: [literal(byDefault)] }]),
    ...(pattern === undefined || format !== undefined
      ? []
      : spelling(pattern, schema.maxLength !== undefined)),
    ...(items && items.$ref === undefined ? limitsOf(items, document) : []),
    ...(propertyNames && values ? [{ says: 'its members have names of their own' }] : []),
    ...(typeof values === 'object' ? limitsOf(resolved(values, document), document) : []),
  ]
}

/** Characters of one class, so many of them. */
const oneClass = /^\^(\[(?:[^\]\\]|\\.)+\])\{(\d+),(\d+)\}\$$/

/** Any text but NUL and halves of characters, which nobody means to send. */
const anyText = String.raw`[^\u0000\uD800-\uDFFF]`

const decimal = /^\^-?\(\?:0\|\[1-9\]\[0-9\]\*\)\\\.\[0-9\]\{(\d)\}\$$/

/** A longer pattern explains nothing to a person; the description has it in words. */
const readableLength = 64

/** How a text is spelled, besides the lengths that the schema has already. */
function spelling(pattern: string, hasLengths: boolean): Limit[] {
  const [, characters, least, most] = oneClass.exec(pattern) ?? []
  if (characters !== undefined) {
    const lengths = hasLengths ? [] : range('characters', Number(least), Number(most))
    return [...lengths, ...(characters === anyText ? [] : [{ says: 'of', code: [characters] }])]
  }
  const [, fractionDigits] = decimal.exec(pattern) ?? []
  if (fractionDigits !== undefined) return [{ says: `${fractionDigits} fraction digits` }]
  return pattern.length > readableLength ? [] : [{ says: 'matches', code: [pattern] }]
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** Above it a number is no longer exact in JSON: every integer may be as large, so it says nothing. */
const unlimited = Number.MAX_SAFE_INTEGER

function range(unit: string, min: number | undefined, max: number | undefined): Limit[] {
  const most = max === unlimited ? undefined : max
  const least = min === 0 && most !== undefined && unit !== '' ? undefined : min
  const tail = unit === '' ? '' : ` ${unit}`
  if (least !== undefined && most !== undefined)
    return [{ says: least === most ? `${least}${tail}` : `${least} to ${most}${tail}` }]
  if (most !== undefined) return [{ says: `at most ${most}${tail}` }]
  return least === undefined ? [] : [{ says: `${least} or more${tail}` }]
}
