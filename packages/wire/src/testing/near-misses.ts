import fc from 'fast-check'
import { arbitraryFromSchema } from './arbitrary-from-schema.ts'
import type { JsonSchema, SchemaDocument } from './json-schema.ts'

/** JSON values that satisfy the schema but for one change; most are invalid. */
export const nearMisses = (schema: JsonSchema, document: SchemaDocument): fc.Arbitrary<unknown> =>
  fc.tuple(arbitraryFromSchema(schema, document), fc.nat(), changes).map(([value, place, change]) => {
    const places = placesIn(value)
    return changeAt(value, places[place % places.length] ?? [], change)
  })

/** Changes a value; `undefined` removes it. */
type Change = (value: unknown) => unknown

const asText = (value: unknown): string => (typeof value === 'string' ? value : 'x')
const withMember =
  (name: string, member: unknown): Change =>
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries([...Object.entries(value), [name, member]])
      : value

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom<Change>(
    () => undefined,
    () => null,
    () => '',
    () => [],
    () => ({}),
    (value) => [value],
    (value) => ` ${asText(value)}`,
    (value) => `${asText(value)}\n`,
    (value) => `${asText(value)}\u0000`,
    (value) => `${asText(value)}\uD800`,
    (value) => asText(value).repeat(40),
    (value) => asText(value).slice(1),
    (value) => asText(value).toUpperCase(),
    (value) => `-${asText(value)}`,
    (value) => `${asText(value)}0`,
    withMember('Amount', '1'),
    withMember('__proto__', {}),
    withMember('constructor', null),
    withMember('qr', { content: 'x' }),
    withMember('bank_transfer', {}),
  ),
  fc.jsonValue().map((junk) => () => junk),
)

type Place = readonly string[]

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [[]]
  const inner = Object.entries(value).flatMap(([name, member]) => placesIn(member).map((place) => [name, ...place]))
  return [[], ...inner]
}

function changeAt(value: unknown, [name, ...rest]: Place, change: Change): unknown {
  if (name === undefined) return change(value)
  if (Array.isArray(value)) {
    const items: unknown[] = value
    return items.flatMap((item, i) => (String(i) === name ? kept(changeAt(item, rest, change)) : [item]))
  }
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([key, member]: [string, unknown]) =>
      key === name ? kept(changeAt(member, rest, change)).map((changed) => [key, changed]) : [[key, member]],
    ),
  )
}

const kept = (value: unknown): unknown[] => (value === undefined ? [] : [value])
