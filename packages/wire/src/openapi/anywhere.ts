import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { failure } from './operation.ts'

/** What an address may answer before it is known which operation is meant, by the status. */
export const anywhere: Record<string, ZodOpenApiResponseObject> = Object.fromEntries(
  (['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'] as const).map(
    (code) => failure([code], 'anybody'),
  ),
)
