import type { createDocument, CreateDocumentOptions } from 'zod-openapi'

export type OpenApiDocument = ReturnType<typeof createDocument>

/** Request schemas are closed, answer schemas open: a new member of an answer breaks no client. */
export const openAnswers: CreateDocumentOptions = {
  override: ({ jsonSchema, zodSchema, io }) => {
    if (io === 'output' && zodSchema._zod.def.type === 'object') {
      delete jsonSchema.additionalProperties
    }
  },
}

export const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
