import { type OpenApi, referred, resolved, type Schema } from '../document/open-api.ts'
import type { Texts } from '../text/texts.ts'

/** Every keyword of a schema that the page describes. */
export const knownKeywords: ReadonlySet<string> = new Set<keyof Schema>([
  '$ref',
  'type',
  'const',
  'enum',
  'x-extensible-enum',
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
  'minProperties',
  'maxProperties',
  'x-max-json-bytes',
  'default',
  'description',
  'examples',
])

const isNull = (schema: Schema): boolean => schema.type === 'null'

/** The alternatives of a schema without null, flattened. A schema without alternatives is its only one. */
export function choicesOf(schema: Schema): readonly Schema[] {
  const choices = schema.anyOf ?? schema.oneOf
  return choices ? choices.filter((choice) => !isNull(choice)).flatMap(choicesOf) : [schema]
}

export const isNullable = (schema: Schema): boolean =>
  [schema.type].flat().includes('null') || (schema.anyOf ?? []).some((choice) => isNull(choice) || isNullable(choice))

/** The words of a type, one part each: `string`, `array of`, or the name of a component. */
export type TypeWord = { readonly word: string; readonly schema?: string }

export function typeWords(schema: Schema, texts: Texts): TypeWord[] {
  const words = choicesOf(schema).flatMap((choice): TypeWord[] => {
    if (choice.$ref !== undefined) return [{ word: referred(choice.$ref), schema: referred(choice.$ref) }]
    if (choice.items) return [{ word: texts.arrayOf }, ...typeWords(choice.items, texts)]
    const types = [choice.type ?? typeof choice.const].flat().filter((type) => type !== 'null')
    return types.map((word) => ({ word }))
  })
  const seen = new Set<string>()
  return words.filter(({ word }) => !seen.has(word) && seen.add(word))
}

/** A constraint of a value besides its type: text, followed by literal code. */
export type Limit = { readonly text: string; readonly code?: readonly string[] }

/** The constraints of a schema, its alternatives, and its items. */
export function limitsOf(schema: Schema, document: OpenApi, texts: Texts): Limit[] {
  const choices = choicesOf(schema)
  return choices.flatMap((choice) => (choice.$ref === undefined ? own(choice, document, texts) : []))
}

function own(schema: Schema, document: OpenApi, texts: Texts): Limit[] {
  const { enum: words, format, pattern, default: byDefault, items, propertyNames } = schema
  const values = schema.additionalProperties
  const known = schema['x-extensible-enum']
  const range = rangeIn(texts)
  return [
    ...('const' in schema ? [{ text: texts.always, code: [literal(schema.const)] }] : []),
    ...(words ? [{ text: texts.oneOf, code: words.map(literal) }] : []),
    ...(known ? [{ text: texts.soFar, code: known.map(literal) }] : []),
    ...(format === undefined ? [] : [{ text: format }]),
    ...range(texts.characters, schema.minLength, schema.maxLength),
    ...range(texts.utf8Bytes, undefined, schema['x-max-utf8-bytes']),
    ...range('', schema.minimum, schema.maximum),
    ...range(texts.items, schema.minItems, schema.maxItems),
    ...range(texts.members, schema.minProperties, schema.maxProperties),
    ...range(texts.jsonBytes, undefined, schema['x-max-json-bytes']),
    ...(byDefault === undefined ? [] : [{ text: texts.byDefault, code: [literal(byDefault)] }]),
    ...(pattern === undefined || format !== undefined ? [] : spelling(pattern, schema.maxLength !== undefined, texts)),
    ...(items && items.$ref === undefined ? limitsOf(items, document, texts) : []),
    ...(propertyNames && values ? [{ text: texts.anyNames }] : []),
    ...(typeof values === 'object' ? limitsOf(resolved(values, document), document, texts) : []),
  ]
}

/** A pattern of one character class with a length. */
const oneClass = /^\^(\[(?:[^\]\\]|\\.)+\])\{(\d+),(\d+)\}\$$/

/** Any text without NUL: not worth a remark. */
const anyText = String.raw`^[^\x00]*$`

const decimal = /^\^-?\(\?:0\|\[1-9\]\[0-9\]\*\)\\\.\[0-9\]\{(\d)\}\$$/

/** A longer pattern is not readable; the description states the rule in words. */
const readableLength = 64

/** Describes a pattern. `hasLengths`: the schema states the lengths separately. */
function spelling(pattern: string, hasLengths: boolean, texts: Texts): Limit[] {
  if (pattern === anyText) return []
  const [, characters, least, most] = oneClass.exec(pattern) ?? []
  if (characters !== undefined) {
    const lengths = hasLengths ? [] : rangeIn(texts)(texts.characters, Number(least), Number(most))
    return [...lengths, { text: texts.of, code: [characters] }]
  }
  const [, fractionDigits] = decimal.exec(pattern) ?? []
  if (fractionDigits !== undefined) return [{ text: texts.fractionDigits.replace('{}', fractionDigits) }]
  return pattern.length > readableLength ? [] : [{ text: texts.matches, code: [pattern] }]
}

const literal = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The maximum of every unconstrained integer schema: not a limit. */
const unlimited = Number.MAX_SAFE_INTEGER

const rangeIn =
  (texts: Texts) =>
  (unit: string, min: number | undefined, max: number | undefined): Limit[] => {
    const most = max === unlimited ? undefined : max
    const least = min === 0 && most !== undefined && unit !== '' ? undefined : min
    const tail = unit === '' ? '' : ` ${unit}`
    if (least !== undefined && most !== undefined)
      return [{ text: least === most ? `${least}${tail}` : `${least} ${texts.to} ${most}${tail}` }]
    if (most !== undefined) return [{ text: `${texts.atMost} ${most}${tail}` }]
    return least === undefined ? [] : [{ text: `${least} ${texts.orMore}${tail}` }]
  }
