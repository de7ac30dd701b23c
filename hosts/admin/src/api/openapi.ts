/** The parts of a JSON schema that commands are derived from. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly description?: string
  readonly default?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly examples?: readonly unknown[]
}

/** A parameter in the path, the query or a header. */
export type Parameter = {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: JsonSchema
}

/** A body, by media type. */
export type Content = Readonly<
  Record<
    string,
    { readonly schema?: JsonSchema; readonly examples?: Readonly<Record<string, { readonly value?: unknown }>> }
  >
>

/** One operation of the document. */
export type DocumentedOperation = {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
}

/** The operations of one path, by HTTP method. */
export type PathItem = Readonly<Partial<Record<Method, DocumentedOperation>>>

/** The HTTP methods that the document uses. */
export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof methods)[number]

/** The parts of an OpenAPI 3.1 document that commands are derived from. */
export type OpenApi = {
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> }
}

/**
 * The operator API's document, as this build of the service serves it.
 *
 * @param hasTag  leaves out the paths without such an operation; where none has one, the document is whole
 */
export async function operatorDocument(hasTag?: (tag: string) => boolean): Promise<OpenApi> {
  const { operatorOpenApi } = await import('@quipu/wire')
  const document = operatorOpenApi(hasTag && { hasTag }) as unknown as OpenApi
  return Object.keys(document.paths).length > 0 ? document : operatorDocument()
}

/** Follows references, and merges the alternatives of a schema into one object schema. */
export function resolved(document: OpenApi, schema: JsonSchema = {}): JsonSchema {
  if (schema.$ref !== undefined) {
    const { $ref, ...own } = schema
    const name = $ref.replace('#/components/schemas/', '')
    return { ...resolved(document, document.components?.schemas?.[name]), ...own }
  }
  const alternatives = (schema.anyOf ?? schema.oneOf ?? [])
    .map((each) => resolved(document, each))
    .filter(({ type }) => type !== 'null')
  const parts = (schema.allOf ?? []).map((each) => resolved(document, each))
  if (alternatives.length + parts.length === 0) return schema
  return merged(schema, alternatives, parts)
}

/** A member is required if each alternative, or one part, requires it. */
function merged(schema: JsonSchema, alternatives: readonly JsonSchema[], parts: readonly JsonSchema[]): JsonSchema {
  const { anyOf: _anyOf, oneOf: _oneOf, allOf: _allOf, ...own } = schema
  const all = [...alternatives, ...parts]
  const [first] = all
  if (all.length === 1) return { ...first, ...own }
  const properties: Record<string, JsonSchema> = {}
  for (const each of [...all, own])
    for (const [name, member] of Object.entries(each.properties ?? {}))
      properties[name] = mergedMember(properties[name], member)
  const inEach = (alternatives[0]?.required ?? []).filter((name) =>
    alternatives.every(({ required = [] }) => required.includes(name)),
  )
  const required = [...inEach, ...parts.flatMap((part) => part.required ?? [])]
  const type = new Set(all.map((each) => each.type)).size === 1 ? first?.type : undefined
  const isObject = Object.keys(properties).length > 0
  return { ...own, ...(type !== undefined && { type }), ...(isObject && { type: 'object', properties, required }) }
}

/** Alternatives distinguish themselves by constants: together they are a choice. */
function mergedMember(known: JsonSchema | undefined, member: JsonSchema): JsonSchema {
  if (known === undefined) return member
  const words = [known, member].map((each) => (each.const === undefined ? each.enum : [each.const]))
  const [ours, theirs] = words
  if (ours === undefined || theirs === undefined) return known
  const { const: _const, ...rest } = known
  return { ...rest, enum: [...new Set([...ours, ...theirs])] }
}
