import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** The part of JSON Schema 2020-12 that the documents use. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  /** Words that may become more: any string is valid. */
  readonly 'x-extensible-enum'?: readonly string[]
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
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly minProperties?: number
  readonly maxProperties?: number
  /** The length of its JSON in bytes of UTF-8. */
  readonly 'x-max-json-bytes'?: number
}

/** The OpenAPI document that `$ref`s point into. */
export type SchemaDocument = { readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> } }

/** Resolves a `$ref`. */
export function resolveSchema(schema: JsonSchema, document: SchemaDocument): JsonSchema {
  if (schema.$ref === undefined) return schema
  const target = document.components?.schemas?.[schema.$ref.replace('#/components/schemas/', '')]
  if (target === undefined) throw new Error(`${schema.$ref} is not in the document`)
  return resolveSchema(target as JsonSchema, document)
}

const answers = documentValidator()
// Requests may leave out seconds, which RFC 3339 does not; the pattern beside the format says so.
const requests = documentValidator().addFormat('date-time', isOnCalendar)

/** Knows what the documents use beside JSON Schema, and ignores nothing. */
function documentValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
  formats.default(ajv)
  return ajv
    .addVocabulary(['discriminator', 'components', 'x-extensible-enum'])
    .addKeyword({
      keyword: 'x-max-json-bytes',
      type: 'object',
      validate: (max: number, value: object) => new TextEncoder().encode(JSON.stringify(value)).length <= max,
    })
    .addKeyword({
      keyword: 'x-max-utf8-bytes',
      type: 'string',
      validate: (max: number, value: string) => new TextEncoder().encode(value).length <= max,
    })
}

const compiled = new Map<Ajv2020, WeakMap<JsonSchema, ValidateFunction>>([
  [answers, new WeakMap()],
  [requests, new WeakMap()],
])

/** The ids of the documents that a validator knows. */
const documents = new WeakMap<Ajv2020, Map<unknown, string>>()

function validatorOf(ajv: Ajv2020, schema: JsonSchema, document: SchemaDocument): ValidateFunction {
  const known = compiled.get(ajv)
  const found = known?.get(schema)
  if (found) return found
  const text = JSON.stringify(schema)
  const refersTo = text.includes('"$ref"') ? registered(ajv, document) : ''
  const validate = ajv.compile(JSON.parse(text.replaceAll('"$ref":"#', `"$ref":"${refersTo}#`)) as JsonSchema)
  known?.set(schema, validate)
  return validate
}

/** The id of the document: its components are compiled once, whatever refers to them. */
function registered(ajv: Ajv2020, { components }: SchemaDocument): string {
  const ids = documents.get(ajv) ?? new Map<unknown, string>()
  const id = ids.get(components) ?? `document${ids.size}`
  if (!ids.has(components)) ajv.addSchema({ $id: id, components })
  documents.set(ajv, ids.set(components, id))
  return id
}

/** Each rule of the schema that the answer breaks, as Ajv says it. */
export function schemaFaults(schema: JsonSchema, answer: unknown, document: SchemaDocument): readonly string[] {
  const validate = validatorOf(answers, schema, document)
  if (validate(answer)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) => `${instancePath || 'the answer'} ${message} ${JSON.stringify(params)}`,
  )
}

/** Whether a JSON value of a request satisfies the schema, nulls of members that may be left out aside. */
export function satisfiesSchema(schema: JsonSchema, value: unknown, document: SchemaDocument): boolean {
  // Text in JSON is Unicode: an unpaired surrogate is none, whatever the schema.
  if (!isWellFormed(value)) return false
  const validate = validatorOf(requests, schema, document)
  return validate(value) || validate(withoutNulls(schema, value, document))
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => isWellFormed(name) && isWellFormed(member))
}

/** The value without the nulls of members that may be left out. */
function withoutNulls(given: JsonSchema, value: unknown, document: SchemaDocument): unknown {
  const schema = resolveSchema(given, document)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const variants = (schema.oneOf ?? schema.anyOf ?? [schema]).map((each) => resolveSchema(each, document))
  const named = variants.find(({ properties }) => isNamedBy(properties, value)) ?? schema
  const isKnown = (name: string): boolean => variants.some(({ properties = {} }) => Object.hasOwn(properties, name))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const isRequired = named.required?.includes(name) === true
      if (member === null && isKnown(name) && !isRequired) return []
      const own = named.properties?.[name]
      return [[name, own ? withoutNulls(own, member, document) : member]]
    }),
  )
}

/** Whether the constants of the properties are those of the value. */
const isNamedBy = (properties: JsonSchema['properties'] = {}, value: object): boolean =>
  Object.entries(properties).every(
    ([name, { const: constant }]) => constant === undefined || constant === Reflect.get(value, name),
  )

/** Whether the date and time exist in the calendar. */
function isOnCalendar(value: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(value)?.slice(1) ?? []
  ).map(Number)
  const seconds = Number(/T\d\d:\d\d:(\d\d)/.exec(value)?.[1] ?? 0)
  const [zoneHour = 0, zoneMinute = 0] = (/[+-](\d\d):?(\d\d)?$/.exec(value)?.slice(1) ?? []).map((digits) =>
    Number(digits ?? 0),
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
