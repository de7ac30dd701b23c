import { type Delivery, type DeliveryStatus, tenantEventTypes } from '@quipu/core'
import {
  attemptsOnRecord,
  type DeliveryAttempt,
  deliveryId,
  type DeliveryQuery,
  excerptBytesMax,
  type ReplayedBatch,
  type ReplayQuery,
} from '@quipu/core/adapter'
import { z } from 'zod'
import { idText, time, uuidText } from '../json/answer.ts'
import { cursorRule, type CursorScope, cursorScope, encodeCursor, exampleCursor } from '../list/cursor.ts'
import { instant, matching, members, oneOf, wordsOf } from '../json/fields.ts'
import { ceilToMs, instantToJson, parseInstant } from '../json/instant.ts'
import { type ListRequest, pageOf, pageParameters, readPage } from '../list/list.ts'
import { parseQuery } from '../json/query.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { attemptResult, attemptResultToJson } from './webhook.ts'

const statuses = wordsOf<DeliveryStatus>({ pending: true, held: true, delivered: true, exhausted: true })

const attempt = z
  .object({
    at: time,
    ...attemptResult,
    response_excerpt: z
      .string()
      .nullable()
      .meta({ description: `The first ${excerptBytesMax / 1024} KiB of the answer; null when there was none.` }),
  })
  .meta({ id: 'DeliveryAttempt' })

/** A delivery as the tenant sees it. */
export const delivery = z
  .object({
    id: idText('dlv'),
    webhook_id: idText('we'),
    event_id: uuidText,
    event_type: z.union([z.enum(tenantEventTypes), z.string()]),
    status: z
      .enum(statuses)
      .meta({
        description: '`held`: waits until its paused endpoint is reactivated. `exhausted`: ran out of attempts.',
      }),
    attempts: z.array(attempt).meta({ description: `Oldest first; the newest ${attemptsOnRecord}.` }),
    next_attempt_at: time.nullable().meta({ description: 'Null while the delivery is held, and once it has ended.' }),
    created_at: time,
    ended_at: time.nullable(),
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one webhook endpoint.' })
export type DeliveryJson = z.output<typeof delivery>

export const deliveryToJson = (given: Delivery): DeliveryJson => ({
  id: deliveryId(given.endpointId, given.eventId),
  webhook_id: given.endpointId,
  event_id: given.eventId,
  event_type: given.eventType,
  status: given.status,
  attempts: given.attempts.map(attemptToJson),
  next_attempt_at: given.nextAttemptAt && instantToJson(given.nextAttemptAt),
  created_at: instantToJson(given.createdAt),
  ended_at: given.endedAt && instantToJson(given.endedAt),
})

const attemptToJson = (made: DeliveryAttempt): z.output<typeof attempt> => ({
  at: instantToJson(made.at),
  ...attemptResultToJson(made),
  response_excerpt: made.excerpt,
})

export const deliveryPage = pageOf(delivery, 'DeliveryPage')

/** The query of `GET /v1/webhooks/{id}/deliveries`. */
export const deliveryListQuery = members({ status: oneOf(statuses).optional(), ...pageParameters }, 'in the query')

/** Reads the query of `GET /v1/webhooks/{id}/deliveries`. */
export function parseDeliveryList(
  tenantId: string,
  webhookId: string,
  search: URLSearchParams | string,
): Parsed<ListRequest<DeliveryQuery>> {
  const parsed = parseQuery(deliveryListQuery, search)
  if (!parsed.ok) return parsed
  const { status, ...parameters } = parsed.value
  const filters = { webhook: webhookId, ...(status && { status }) }
  const scope = cursorScope('deliveries', tenantId, filters)
  return mapParsed(readPage(parameters, scope), (page) => ({ query: { ...page, ...(status && { status }) }, scope }))
}

/** How many events a request replays at most. */
export const replayBatch = 100

/** The body of `POST /v1/webhooks/{id}/replay`. */
export const replayRequest = members({
  since: instant.meta({ description: 'Events recorded from then on.', examples: ['2026-11-20T15:04:05.000Z'] }),
  cursor: matching(/^[A-Za-z0-9_-]{1,256}$/, cursorRule)
    .meta({ description: 'The `next_cursor` of the last answer, with the same `since`.', examples: [exampleCursor] })
    .optional(),
}).meta({ id: 'ReplayRequest' })

/** Reads the body of `POST /v1/webhooks/{id}/replay`. */
export function parseReplay(tenantId: string, webhookId: string, body: unknown): Parsed<ListRequest<ReplayQuery>> {
  const parsed = parse(replayRequest, body)
  if (!parsed.ok) return parsed
  const read = parseInstant(parsed.value.since)
  if (!read) return { ok: false, issues: [{ field: 'since', message: 'must be an instant' }] }
  const since = ceilToMs(read)
  const scope = cursorScope('replays', tenantId, { webhook: webhookId, since: since.toISOString() })
  const page = readPage({ limit: String(replayBatch), cursor: parsed.value.cursor }, scope)
  return mapParsed(page, (query) => ({ query: { ...query, since }, scope }))
}

/** Answers a batch of replayed events. */
export const replayed = z
  .object({
    resent: z.int().min(0).meta({ description: 'Deliveries that are due now.' }),
    next_cursor: z.string().nullable().meta({ description: 'Send it to replay further events; null at the end.' }),
  })
  .meta({ id: 'ReplayedBatch' })

export const replayedToJson = ({ resent, next }: ReplayedBatch, scope: CursorScope): z.output<typeof replayed> => ({
  resent,
  next_cursor: next && encodeCursor(next, scope),
})
