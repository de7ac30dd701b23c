import type { createDocument, CreateDocumentOptions } from 'zod-openapi'

export type OpenApiDocument = ReturnType<typeof createDocument>

/** Requests are closed, answers are open: a member that is added to one breaks no client. */
export const answersMayGrow: CreateDocumentOptions = {
  override: ({ jsonSchema, zodSchema, io }) => {
    if (io === 'output' && zodSchema._zod.def.type === 'object') {
      delete jsonSchema.additionalProperties
    }
  },
}

export const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
