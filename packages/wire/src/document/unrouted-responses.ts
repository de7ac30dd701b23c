import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { failure } from '../openapi/operation.ts'

/** Answers to a request that reaches no operation, by their status. */
export const unroutedResponses: Record<string, ZodOpenApiResponseObject> = Object.fromEntries(
  (['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'] as const).map((code) =>
    failure([code], 'public'),
  ),
)
