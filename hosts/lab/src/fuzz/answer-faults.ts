import { httpErrors } from '@quipu/wire'
import type { FuzzDocument } from './fuzz-operations.ts'
import type { FuzzedRequest } from './fuzzed-request.ts'
import { schemaFaults } from '@quipu/wire/testing'

/** An HTTP answer as received. */
export type FuzzedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Statuses of requests that reach no operation, or whose bytes it does not read. */
const statusesOfAll = new Set([400, 401, 403, 404, 405, 408, 413, 414, 415, 431])

const statusOf = new Map<string, number>(Object.entries(httpErrors).map(([code, { status }]) => [code, status]))

type ErrorBody = {
  readonly code: unknown
  readonly message: unknown
  readonly request_id: unknown
  readonly details?: readonly { readonly field: unknown; readonly message: unknown }[]
}

/** In what an answer departs from the document and from the API's conventions; empty when in nothing. */
export function answerFaults(
  { operation, method, isRouted, isBodyInvalid }: FuzzedRequest,
  { status, headers, text }: FuzzedAnswer,
  document: FuzzDocument,
): string[] {
  if (status >= 500) return [`status ${status}`]
  if (headers['x-request-id'] === undefined) return ['no X-Request-Id']
  if (method === 'HEAD') return text === '' ? [] : ['a body of HEAD']
  const isAccepted = status < 300
  const described = operation.responses[String(status)]
  const mediaType = String(headers['content-type'] ?? '').split(';')[0] ?? ''
  const json = mediaType === 'application/json' ? parsed(text) : undefined
  if (json === notJson) return ['no JSON']
  if (status >= 400) {
    const isKnown = described !== undefined || statusesOfAll.has(status)
    const faults = errorFaults(status, json, headers['x-request-id'])
    return isKnown ? faults : [...faults, `status ${status} is not in the document`]
  }
  if (!isRouted) return []
  const faults = isAccepted && isBodyInvalid ? ['accepted a body that the document refuses'] : []
  if (!described) return [...faults, `status ${status} is not in the document`]
  if (!described.content) return text === '' ? faults : [...faults, 'a body that is not described']
  const content = described.content[mediaType]
  if (!content) return [...faults, `media type ${mediaType} is not in the document`]
  if (mediaType === 'application/json') faults.push(...schemaFaults(content.schema, json, document))
  return faults
}

const notJson = Symbol('not JSON')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return notJson
  }
}

function errorFaults(status: number, json: unknown, requestId: unknown): string[] {
  const error = (json as { readonly error?: ErrorBody } | undefined)?.error
  if (!error) return ['an error without the member error']
  const { code, message, request_id: id, details = [] } = error
  const faults: string[] = []
  if (statusOf.get(String(code)) !== status) faults.push(`code ${String(code)} with ${status}`)
  if (typeof message !== 'string' || message === '') faults.push('an error without message')
  if (id !== requestId) faults.push('request_id is not X-Request-Id')
  if (status === 400 && code === 'VALIDATION_FAILED' && details.length === 0) faults.push('a 400 that names no field')
  for (const { field } of details)
    if (typeof field !== 'string' || field === '' || !String(message).includes(field))
      faults.push(`the message does not name the field ${JSON.stringify(field)}`)
  return faults
}
