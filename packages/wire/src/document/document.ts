import { createDocument, type CreateDocumentOptions, type ZodOpenApiObject } from 'zod-openapi'

import { inLanguage, type Language } from '../text/text.ts'

type Responses = NonNullable<ReturnType<typeof createDocument>['components']>['responses']

/** An OpenAPI document, whose events stand under `x-webhooks`, and the answers of no operation under `x-responses`. */
export type OpenApiDocument = Omit<ReturnType<typeof createDocument>, 'webhooks'> & {
  readonly 'x-responses'?: Responses
  readonly 'x-webhooks'?: ReturnType<typeof createDocument>['webhooks']
}

/**
 * Makes a document. Request schemas are closed, answer schemas open: a new member of an answer breaks no client.
 * `webhooks` becomes `x-webhooks`: openapi-generator makes client operations of the former, which do not compile.
 * Answers of no operation become `x-responses`: linters call components without a reference unused.
 */
export function makeDocument(described: ZodOpenApiObject, language: Language = 'en'): OpenApiDocument {
  const created = inLanguage(createDocument(described, openAnswers), language)
  const { webhooks, components, ...document } = mended(created) as ReturnType<typeof createDocument>
  const { responses, ...others } = components ?? {}
  return {
    ...document,
    components: others,
    ...(responses !== undefined && { 'x-responses': responses }),
    ...(webhooks !== undefined && { 'x-webhooks': webhooks }),
  }
}

const openAnswers: CreateDocumentOptions = {
  override: ({ jsonSchema, zodSchema, io }) => {
    if (io === 'output' && zodSchema._zod.def.type === 'object') {
      delete jsonSchema.additionalProperties
    }
  },
}

/**
 * Drops `additionalProperties` beside a `$ref`, which zod-openapi leaves there: it does not see the members of the
 * schema that is referred to, and so refuses all of them. Lists that may grow become `x-extensible-enum`.
 */
function mended(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(mended)
  return Object.fromEntries(
    Object.entries(extensible(value))
      .filter(([name]) => name !== 'additionalProperties' || !('$ref' in value))
      .map(([name, member]: [string, unknown]) => [name, mended(member)]),
  )
}

/** Words, or any other string: to comparers of documents a further word of a plain `enum` is a breaking change. */
function extensible(schema: object): object {
  const { anyOf, ...rest } = schema as {
    readonly anyOf?: readonly { readonly type?: unknown; readonly enum?: unknown }[]
  }
  const [words, any] = anyOf ?? []
  const isOpen = anyOf?.length === 2 && words?.enum !== undefined && any?.type === 'string' && any.enum === undefined
  return isOpen ? { ...rest, type: 'string', 'x-extensible-enum': words.enum } : schema
}

export const contact = { name: 'The operator of this service' }

export const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
