import { deliveryId } from '@quipu/core/adapter'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import {
  delivery,
  deliveryListQuery,
  deliveryPage,
  deliveryToJson,
  parseDeliveryList,
  parseReplay,
  replayBatch,
  replayed,
  replayedToJson,
  replayRequest,
} from './delivery.ts'
import { cursorScope } from '../list/cursor.ts'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { at, tenant } from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { delivered, endpoint, held, retried } from './webhook-example.ts'

const tag = 'Webhooks'
const webhookId = id('we').meta({ examples: [endpoint.id] })
const path = z.object({
  id: webhookId,
  delivery_id: id('dlv').meta({ examples: [deliveryId(endpoint.id, delivered.eventId)] }),
})

const list = operation({
  id: 'listDeliveries',
  tag,
  summary: 'List an endpoint’s deliveries, newest first',
  description: 'Each item is exactly what `GET /v1/webhooks/{id}/deliveries/{delivery_id}` answers.',
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
  summary: 'Read a delivery and its attempts',
  description: 'Each attempt has its instant, duration, status and the beginning of the receiver’s answer.',
  access: { scope: 'webhooks:read' },
  path,
  answers: ok('The delivery.', delivery, {
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
  summary: 'Send a delivery once more',
  description:
    'Makes one attempt of a delivery that has ended or is held, also while the endpoint is paused. The attempt counts neither towards the limit of attempts nor towards a pause. If it fails, the delivery returns to its earlier status. Read the delivery to see the result. Refused while the service’s operator has paused the endpoint.',
  access: { scope: 'webhooks:write' },
  path,
  body: noBody,
  answers: {
    202: {
      description: 'The delivery, `pending` until the attempt has been made.',
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
  summary: 'Send the events since an instant again',
  description: `Sends up to ${replayBatch} events that the endpoint’s filter has, oldest first, each by one attempt as a resend: same ids, same bytes, whatever became of it before. An event of the time before the endpoint is sent as a new one. What is pending is not sent twice. Repeat the request with \`next_cursor\` until it is null. Receivers recognize an event that they have by its id, so the whole is safe to repeat.`,
  access: { scope: 'webhooks:write' },
  path: z.object({ id: webhookId }),
  body: { schema: replayRequest, examples: { first: { since } } },
  answers: {
    202: {
      description: 'How many deliveries are due now.',
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
