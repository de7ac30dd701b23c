/** The part of JSON Schema 2020-12 that the documents use. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  /** The length in bytes of UTF-8, which JSON Schema cannot express. */
  readonly 'x-max-utf8-bytes'?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly minProperties?: number
}

const keywords = new Set([
  ...['$ref', 'type', 'const', 'enum', 'oneOf', 'anyOf', 'pattern', 'format', 'minLength'],
  ...['maxLength', 'x-max-utf8-bytes', 'minimum', 'maximum', 'items', 'minItems', 'maxItems'],
  ...['uniqueItems', 'properties', 'required', 'additionalProperties', 'propertyNames'],
  ...['minProperties', 'description', 'examples', 'default', 'discriminator'],
])

/** The OpenAPI document that `$ref`s point into. */
export type SchemaDocument = {
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> }
}

/**
 * Resolves a `$ref`.
 *
 * @throws Error on a keyword that is not supported, so that none is ignored
 */
export function resolveSchema(schema: JsonSchema, document: SchemaDocument): JsonSchema {
  const unknown = Object.keys(schema).filter((keyword) => !keywords.has(keyword))
  if (unknown.length > 0) throw new Error(`keywords that are not supported: ${unknown.join(', ')}`)
  if (schema.$ref === undefined) return schema
  const target = document.components?.schemas?.[schema.$ref.replace('#/components/schemas/', '')]
  if (target === undefined) throw new Error(`${schema.$ref} is not in the document`)
  return resolveSchema(target as JsonSchema, document)
}

/** Whether a JSON value satisfies the schema. */
export function satisfiesSchema(
  given: JsonSchema,
  value: unknown,
  document: SchemaDocument,
): boolean {
  const schema = resolveSchema(given, document)
  const also = (other: JsonSchema): boolean => satisfiesSchema(other, value, document)
  return (
    (schema.type === undefined || [schema.type].flat().some((type) => isOfType(type, value))) &&
    (!('const' in schema) || schema.const === value) &&
    (schema.enum === undefined || schema.enum.includes(value)) &&
    (schema.oneOf === undefined || schema.oneOf.filter(also).length === 1) &&
    (schema.anyOf === undefined || schema.anyOf.some(also)) &&
    (typeof value !== 'string' || fitsText(schema, value)) &&
    (typeof value !== 'number' || fitsNumber(schema, value)) &&
    (!Array.isArray(value) || fitsArray(schema, value, document)) &&
    (!isObject(value) || fitsObject(schema, value, document))
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

const codePoints = (value: string): number => Array.from(value).length

/** Text in JSON is Unicode: an unpaired surrogate is none, whatever the schema. */
const fitsText = (schema: JsonSchema, value: string): boolean =>
  value.isWellFormed() &&
  codePoints(value) >= (schema.minLength ?? 0) &&
  codePoints(value) <= (schema.maxLength ?? Infinity) &&
  new TextEncoder().encode(value).length <= (schema['x-max-utf8-bytes'] ?? Infinity) &&
  (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)) &&
  (schema.format !== 'date-time' || isOnCalendar(value))

const fitsNumber = (schema: JsonSchema, value: number): boolean =>
  value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity)

const fitsArray = (
  schema: JsonSchema,
  value: readonly unknown[],
  document: SchemaDocument,
): boolean =>
  value.length >= (schema.minItems ?? 0) &&
  value.length <= (schema.maxItems ?? Infinity) &&
  (schema.uniqueItems !== true || new Set(value).size === value.length) &&
  value.every((item) => schema.items === undefined || satisfiesSchema(schema.items, item, document))

function fitsObject(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  document: SchemaDocument,
): boolean {
  const { properties = {}, additionalProperties: others = true } = schema
  return (
    Object.keys(value).length >= (schema.minProperties ?? 0) &&
    (schema.required ?? []).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, member]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : others
      return typeof known === 'object' ? satisfiesSchema(known, member, document) : known !== false
    })
  )
}

/** Whether the date and time exist in the calendar. */
function isOnCalendar(value: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(value)?.slice(1) ?? []
  ).map(Number)
  const seconds = Number(/T\d\d:\d\d:(\d\d)/.exec(value)?.[1] ?? 0)
  const [zoneHour = 0, zoneMinute = 0] = (/[+-](\d\d):?(\d\d)?$/.exec(value)?.slice(1) ?? []).map(
    (digits) => Number(digits ?? 0),
  )
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  const isInside = year > 1 && year < 9999
  return (
    isInside &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth &&
    hour < 24 &&
    minute < 60 &&
    seconds < 60 &&
    zoneHour < 24 &&
    zoneMinute < 60
  )
}
