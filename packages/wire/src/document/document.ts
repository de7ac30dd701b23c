import { createDocument, type CreateDocumentOptions, type ZodOpenApiObject } from 'zod-openapi'

export type OpenApiDocument = ReturnType<typeof createDocument>

/** Makes a document. Request schemas are closed, answer schemas open: a new member of an answer breaks no client. */
export const makeDocument = (described: ZodOpenApiObject): OpenApiDocument =>
  withOpenRefs(createDocument(described, openAnswers)) as OpenApiDocument

const openAnswers: CreateDocumentOptions = {
  override: ({ jsonSchema, zodSchema, io }) => {
    if (io === 'output' && zodSchema._zod.def.type === 'object') {
      delete jsonSchema.additionalProperties
    }
  },
}

/**
 * Drops `additionalProperties` beside a `$ref`, which zod-openapi leaves there: it does not see the members of the
 * schema that is referred to, and so refuses all of them.
 */
function withOpenRefs(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withOpenRefs)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'additionalProperties' || !('$ref' in value))
      .map(([name, member]: [string, unknown]) => [name, withOpenRefs(member)]),
  )
}

export const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
