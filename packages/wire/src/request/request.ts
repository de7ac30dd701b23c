import type { RequestQuery, RequestRecord } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time, uuidText } from '../json/answer.ts'
import { oneOf, queryMembers, text } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'
import { parseFilteredList, periodParameters } from '../list/filtered-list.ts'
import { type ListRequest, pageOf } from '../list/list.ts'

const digest = z.string().nullable()

/** A request of the tenant, without its bodies. */
export const requestEntry = z
  .object({
    id: uuidText,
    request_id: z.string().meta({ description: 'As `X-Request-Id` of the answer has it.' }),
    api_key_id: idText('key'),
    method: z.string(),
    path: z.string().meta({ description: 'Without the query. A segment that may be a secret is `[redacted]`.' }),
    status: z.int().nullable().meta({ description: 'Null when you disconnected before the answer was complete.' }),
    code: z.string().nullable().meta({ description: 'The code of an error.' }),
    address: z.string().meta({ description: 'Where the request came from.', examples: ['192.0.2.10'] }),
    duration_ms: z.int(),
    body_sha256: digest.meta({
      description: 'Of the bytes that you sent, in hexadecimal digits; null without a body.',
    }),
    answer_sha256: digest.meta({ description: 'Of the answer’s body; null without one, and for a CSV.' }),
    created_at: time.meta({ description: 'When the request arrived.' }),
  })
  .meta({ id: 'RequestEntry', description: 'One of your requests, without its bodies.' })
export type RequestEntryJson = z.output<typeof requestEntry>

export const requestEntryToJson = (request: RequestRecord): RequestEntryJson =>
  rowToJson(requestEntry, request, {
    api_key_id: request.keyId,
    duration_ms: Math.round(request.durationMs),
    body_sha256: request.bodyDigest,
    answer_sha256: request.answerDigest,
  })

export const requestPage = pageOf(requestEntry, 'RequestPage')

export const requestListQuery = queryMembers({
  status: oneOf(['2xx', '4xx', '5xx']).optional().meta({ description: 'The class of their status.' }),
  api_key_id: id('key').optional(),
  path: text(1, 200)
    .optional()
    .meta({ description: 'Exactly this one.', examples: ['/v1/payouts'] }),
  ...periodParameters,
})

/** Reads the query of `GET /v1/requests`. */
export const parseRequestList = (
  tenantId: string,
  search: URLSearchParams | string,
): Parsed<ListRequest<RequestQuery>> =>
  mapParsed(
    parseFilteredList(requestListQuery, ['requests', tenantId], search),
    ({ filters: { status, apiKeyId, ...filters }, page, scope }) => ({
      query: {
        ...page,
        ...filters,
        ...(status && { statusClass: Number(status[0]) }),
        ...(apiKeyId && { keyId: apiKeyId }),
      },
      scope,
    }),
  )
