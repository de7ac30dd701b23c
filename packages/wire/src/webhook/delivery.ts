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
import { instant, matching, members, oneOf, queryMembers, wordsOf } from '../json/fields.ts'
import { ceilToMs, instantToJson, parseInstant } from '../json/instant.ts'
import { type ListRequest, pageOf, pageParameters, readPage } from '../list/list.ts'
import { parseList } from '../list/filtered-list.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { attemptResult, attemptResultToJson } from './webhook.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { at, tenant } from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { delivered, endpoint, held, retried } from './webhook-example.ts'

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
  .meta({ id: 'DeliveryAttempt', description: 'One request to your endpoint, and its answer.' })

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

const deliveryPage = pageOf(delivery, 'DeliveryPage')

export const deliveryListQuery = queryMembers({ status: oneOf(statuses).optional(), ...pageParameters })

/** Reads the query of `GET /v1/webhooks/{id}/deliveries`. */
export const parseDeliveryList = (
  tenantId: string,
  webhookId: string,
  search: URLSearchParams | string,
): Parsed<ListRequest<DeliveryQuery>> =>
  parseList(deliveryListQuery, ['deliveries', tenantId, { webhook: webhookId }], search)

/** How many events a request replays at most. */
const replayBatch = 100

export const replayRequest = members({
  since: instant.meta({
    description: 'Events recorded from then on. Not in the future; events never expire.',
    examples: ['2026-11-20T15:04:05.000Z'],
  }),
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
const replayed = z
  .object({
    resent: z.int().min(0).meta({ description: 'Deliveries that are due now.' }),
    next_cursor: z.string().nullable().meta({ description: 'Send it to replay further events; null at the end.' }),
  })
  .meta({ id: 'ReplayedBatch' })

export const replayedToJson = ({ resent, next }: ReplayedBatch, scope: CursorScope): z.output<typeof replayed> => ({
  resent,
  next_cursor: next && encodeCursor(next, scope),
})

const tag = 'Webhooks'
const webhookId = id('we').meta({ examples: [endpoint.id] })
const path = z.object({
  id: webhookId,
  delivery_id: id('dlv').meta({ examples: [deliveryId(endpoint.id, delivered.eventId)] }),
})

const list = operation({
  id: 'listDeliveries',
  tag,
  summary: {
    en: 'List an endpoint’s deliveries, newest first',
    es: 'Listar las entregas de un endpoint, las más nuevas primero',
  },
  description: {
    en: 'Each item is exactly what `GET /v1/webhooks/{id}/deliveries/{delivery_id}` answers.',
    es: 'Cada elemento es exactamente lo que responde `GET /v1/webhooks/{id}/deliveries/{delivery_id}`.',
  },
  access: { scope: 'webhooks:read' },
  path: z.object({ id: webhookId }),
  query: deliveryListQuery,
  answers: lastPage(deliveryPage, [delivered], deliveryToJson),
  refused: parseDeliveryList(tenant.id, endpoint.id, 'status=failed&limit=500'),
  errors: ['WEBHOOK_NOT_FOUND'],
})

const get = operation({
  id: 'getDelivery',
  tag,
  summary: { en: 'Read a delivery and its attempts', es: 'Leer una entrega y sus intentos' },
  description: {
    en: 'Each attempt has its instant, duration, status and the beginning of the receiver’s answer.',
    es: 'Cada intento tiene su instante, su duración, su estado y el principio de la respuesta del endpoint.',
  },
  access: { scope: 'webhooks:read' },
  path,
  answers: ok({ en: 'The delivery.', es: 'La entrega.' }, delivery, {
    delivered: deliveryToJson(delivered),
    pending: deliveryToJson(retried),
    held: deliveryToJson(held),
  }),
  refused: parseNoQuery('expand=event'),
  errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
})

const resend = operation({
  id: 'resendDelivery',
  tag,
  summary: { en: 'Send a delivery once more', es: 'Enviar una entrega una vez más' },
  description: {
    en: 'Makes one attempt of a delivery that has ended or is held, also while the endpoint is paused. The attempt counts neither towards the limit of attempts nor towards a pause. If it fails, the delivery returns to its earlier status. Read the delivery to see the result. Refused while the service’s operator has paused the endpoint.',
    es: 'Hace un intento de una entrega que terminó o está retenida, también con el endpoint en pausa. El intento no cuenta para el límite de intentos ni para una pausa. Si falla, la entrega vuelve a su estado anterior. Lea la entrega para ver el resultado. Se rechaza mientras el operador del servicio tenga el endpoint en pausa.',
  },
  access: { scope: 'webhooks:write' },
  path,
  body: noBody,
  answers: {
    202: {
      description: {
        en: 'The delivery, `pending` until the attempt has been made.',
        es: 'La entrega, `pending` hasta que se haga el intento.',
      },
      schema: delivery,
      examples: { pending: deliveryToJson({ ...held, status: 'pending', nextAttemptAt: at(86_400) }) },
    },
  },
  refused: parseNoBody({ times: 2 }),
  errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'DELIVERY_PENDING', 'WEBHOOK_PAUSED_BY_OPERATOR'],
})

const since = at(0).toISOString()
const replay = operation({
  id: 'replayEvents',
  tag,
  summary: { en: 'Send the events since an instant again', es: 'Enviar otra vez los eventos desde un instante' },
  description: {
    en: `Sends up to ${replayBatch} events that the endpoint’s filter has, oldest first, each by one attempt as a resend: same ids, same bytes, whatever became of it before. An event of the time before the endpoint is sent as a new one. What is pending is not sent twice. Repeat the request with \`next_cursor\` until it is null. Receivers recognize an event that they have by its id, so the whole is safe to repeat.`,
    es: `Envía hasta ${replayBatch} eventos que el filtro del endpoint admite, los más antiguos primero, cada uno con un intento como un reenvío: los mismos ids, los mismos bytes, sin importar qué fue de ellos antes. Un evento anterior al endpoint se envía como uno nuevo. Lo que está pendiente no se envía dos veces. Repita la solicitud con \`next_cursor\` hasta que sea null. Quien recibe reconoce por su id un evento que ya tiene, así que todo es seguro de repetir.`,
  },
  access: { scope: 'webhooks:write' },
  path: z.object({ id: webhookId }),
  body: { schema: replayRequest, examples: { first: { since } } },
  answers: {
    202: {
      description: { en: 'How many deliveries are due now.', es: 'Cuántas entregas corresponden ahora.' },
      schema: replayed,
      examples: {
        last: replayedToJson(
          { resent: 12, next: null },
          cursorScope('replays', tenant.id, { webhook: endpoint.id, since }),
        ),
      },
    },
  },
  refused: parseReplay(tenant.id, endpoint.id, { since: 'yesterday' }),
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_PAUSED_BY_OPERATOR'],
})

export const deliveryPaths: ZodOpenApiPathsObject = {
  '/v1/webhooks/{id}/deliveries': { get: list },
  '/v1/webhooks/{id}/deliveries/{delivery_id}': { get },
  '/v1/webhooks/{id}/deliveries/{delivery_id}/resend': { post: resend },
  '/v1/webhooks/{id}/replay': { post: replay },
}
