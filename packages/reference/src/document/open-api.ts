/** The part of JSON Schema that the page describes; `knownKeywords` lists it. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly 'x-extensible-enum'?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly discriminator?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly 'x-max-utf8-bytes'?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly 'x-max-json-bytes'?: number
  readonly default?: unknown
  readonly description?: string
  readonly examples?: readonly unknown[]
}

export type Examples = Readonly<Record<string, { readonly value: unknown }>>

export type Media = { readonly schema: Schema; readonly examples?: Examples }

export type Content = Readonly<Record<string, Media>>

/** The body of a request or an answer. */
export type Parameter = {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export type Header = { readonly $ref?: string } & Partial<Omit<Parameter, 'in' | 'name'>>

export type Response = {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Content
}

export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

type PathItem = Readonly<Record<string, Operation>>

/** How requests authenticate: by a header of its own (`apiKey`), or by a bearer token (`http`). */
export type SecurityScheme = {
  readonly type?: string
  /** The header of an `apiKey`. */
  readonly name?: string
  readonly description?: string
}

/** The meaning of a code, as `@quipu/wire` explains it. */
export type Explanation = {
  readonly when: string
  readonly debited: 'nothing' | 'released' | 'unknown' | 'not_credited'
  readonly remedy: string
  readonly retry: 'same' | 'later' | 'changed' | 'no'
}

export type Explanations = Readonly<Record<string, Explanation>>

/** `x-displayName`: its name for readers, where it differs. */
export type Tag = { readonly name: string; readonly description?: string; readonly 'x-displayName'?: string }

/** An OpenAPI 3.1 document, parsed from JSON. */
export type OpenApi = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags?: readonly Tag[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly 'x-webhooks'?: Readonly<Record<string, PathItem>>
  /** Every code by what carries it. */
  readonly 'x-codes'?: { readonly errors: Explanations; readonly payouts: Explanations; readonly reviews: Explanations }
  readonly 'x-responses'?: Readonly<Record<string, Response>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers?: Readonly<Record<string, Header>>
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>
  }
}

/** An operation with its method and path. */
export type Endpoint = { readonly method: string; readonly path: string; readonly operation: Operation }

/** In the order of the document. */
export const endpointsOf = (paths: OpenApi['paths'] = {}): Endpoint[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** The name at the end of a reference. */
export const referred = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** The component that a schema refers to, or the schema itself. */
export function resolved(schema: Schema, { components }: OpenApi): Schema {
  if (schema.$ref === undefined) return schema
  const target = components.schemas[referred(schema.$ref)]
  if (!target) throw new Error(`${schema.$ref} leads nowhere`)
  return target
}

/** The header, or the component that it refers to. */
export const headerOf = (header: Header, { components }: OpenApi): Header =>
  header.$ref === undefined ? header : (components.headers?.[referred(header.$ref)] ?? {})
