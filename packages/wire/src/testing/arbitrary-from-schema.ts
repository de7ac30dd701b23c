import fc from 'fast-check'
import { type JsonSchema, resolveSchema, satisfiesSchema, type SchemaDocument } from './json-schema.ts'

/**
 * JSON values that satisfy the schema.
 *
 * @throws Error on a schema that is not supported
 */
export function arbitraryFromSchema(given: JsonSchema, document: SchemaDocument): fc.Arbitrary<unknown> {
  const schema = resolveSchema(given, document)
  const variants = schema.oneOf ?? schema.anyOf
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const words = schema['x-extensible-enum']
  if (words) return fc.oneof(fc.constantFrom(...words), fc.string())
  if (variants) return fc.oneof(...variants.map((variant) => arbitraryFromSchema(variant, document)))
  const types = [schema.type ?? []].flat()
  if (types.length === 0) throw new Error('a schema without a type is not supported')
  return fc.oneof(...types.map((type) => ofType(type, schema, document)))
}

function ofType(type: string, schema: JsonSchema, document: SchemaDocument): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.integer({
        ...(schema.minimum !== undefined && { min: schema.minimum }),
        ...(schema.maximum !== undefined && { max: schema.maximum }),
      })
    case 'string':
      return texts(schema).filter((text) => satisfiesSchema(schema, text, document))
    case 'array':
      return arrays(schema, document)
    case 'object':
      return objects(schema, document)
    default:
      throw new Error(`the type ${type} is not supported`)
  }
}

function texts({ pattern, format, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') return instants
  // A pattern that only excludes characters: generate all of Unicode, and both ends of the length.
  if (pattern === undefined || pattern === String.raw`^[^\x00]*$`) {
    const lengths = { minLength, maxLength }
    return fc.oneof(
      fc.string({ unit: 'binary', ...lengths }),
      fc.string({ unit: 'grapheme', ...lengths }),
      fc.string({ unit: fc.constantFrom('a', 'ñ', '\u{1F9F6}'), minLength: maxLength, maxLength }),
    )
  }
  return fc.stringMatching(new RegExp(pattern, 'u'))
}

const instants: fc.Arbitrary<string> = fc
  .tuple(
    fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
    fc.constantFrom('', '.1', '.123456789'),
    fc.constantFrom('Z', '+00:00', '-04:00', '+0530', '+14'),
    fc.constantFrom('ours', 'seconds', 'minutes'),
  )
  .map(([date, fraction, zone, precision]) => {
    const text = date.toISOString()
    if (precision === 'ours') return text
    return precision === 'seconds' ? text.slice(0, 19) + fraction + zone : text.slice(0, 16) + zone
  })

function arrays(schema: JsonSchema, document: SchemaDocument): fc.Arbitrary<unknown> {
  const items = schema.items ? arbitraryFromSchema(schema.items, document) : fc.jsonValue()
  const size = { minLength: schema.minItems ?? 0, maxLength: Math.min(5, schema.maxItems ?? 5) }
  return fc.array(items, size)
}

function objects(schema: JsonSchema, document: SchemaDocument): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [name, arbitraryFromSchema(member, document)] as const,
  )
  return fc
    .record(Object.fromEntries(members), { requiredKeys: [...(schema.required ?? [])] })
    .map((record) => ({ ...record })) // JSON's objects have a prototype.
    .filter((object) => Object.keys(object).length >= (schema.minProperties ?? 0))
}
