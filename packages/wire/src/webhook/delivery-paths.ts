import { deliveryId } from '@quipu/core/adapter'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { cursorScope } from '../list/cursor.ts'
import { delivery, deliveryListQuery, deliveryPage, deliveryToJson, parseDeliveryList } from './delivery.ts'
import { noMembers, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { pageToJson } from '../list/list.ts'
import { at, tenant } from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
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
  answers: {
    200: {
      description: 'A page.',
      schema: deliveryPage,
      examples: { last: pageToJson({ items: [delivered], next: null }, deliveryToJson, cursorScope('deliveries', '')) },
    },
  },
  refused: parseDeliveryList(tenant.id, endpoint.id, 'status=failed&limit=500'),
  errors: ['WEBHOOK_NOT_FOUND'],
})

const get = operation({
  id: 'getDelivery',
  tag,
  summary: 'Read a delivery and its attempts',
  access: { scope: 'webhooks:read' },
  path,
  answers: {
    200: {
      description: 'The delivery.',
      schema: delivery,
      examples: { delivered: deliveryToJson(delivered), pending: deliveryToJson(retried), held: deliveryToJson(held) },
    },
  },
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
  body: { schema: noMembers, examples: { empty: {} }, optional: true },
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

export const deliveryPaths: ZodOpenApiPathsObject = {
  '/v1/webhooks/{id}/deliveries': { get: list },
  '/v1/webhooks/{id}/deliveries/{delivery_id}': { get },
  '/v1/webhooks/{id}/deliveries/{delivery_id}/resend': { post: resend },
}
