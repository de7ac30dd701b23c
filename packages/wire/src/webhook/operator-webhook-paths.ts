import { deliveryId } from '@quipu/core/adapter'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { at } from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import {
  operatorDelivery,
  operatorDeliveryListQuery,
  operatorDeliveryPage,
  operatorDeliveryToJson,
  parseOperatorDeliveryList,
} from './operator-delivery.ts'
import {
  operatorEndpoint,
  operatorEndpointListQuery,
  operatorEndpointPage,
  operatorEndpointToJson,
  parseOperatorEndpointList,
} from './operator-endpoint.ts'
import { delivered, endpoint, pausedEndpoint } from './webhook-example.ts'

const failing = {
  endpoint: pausedEndpoint,
  queued: 31,
  isSlow: true,
  oldestQueuedAt: at(82e3),
  failingSince: at(82001),
}

const listEndpoints = operation({
  id: 'listWebhookEndpoints',
  tag: 'Webhooks',
  summary: 'List the webhook endpoints of all tenants, newest first',
  description:
    'With `status=paused`: the endpoints whose events queue until their tenant acts, or an operator (`paused_by`).',
  access: 'operator',
  query: operatorEndpointListQuery,
  answers: lastPage(operatorEndpointPage, [failing], operatorEndpointToJson),
  refused: parseOperatorEndpointList('status=off'),
})

const getEndpoint = operation({
  id: 'getWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Read a webhook endpoint of any tenant',
  access: 'operator',
  path: z.object({ id: id('we').meta({ examples: [endpoint.id] }) }),
  answers: ok('The endpoint with its backlog.', operatorEndpoint, { failing: operatorEndpointToJson(failing) }),
  refused: parseNoQuery('expand=deliveries'),
  errors: ['WEBHOOK_NOT_FOUND'],
})

const listDeliveries = operation({
  id: 'listWebhookDeliveries',
  tag: 'Webhooks',
  summary: 'List the deliveries of a tenant, an endpoint or an event, newest event first',
  description: 'One of `tenant_id`, `endpoint_id` and `event_id` is required.',
  access: 'operator',
  query: operatorDeliveryListQuery,
  answers: lastPage(operatorDeliveryPage, [delivered], operatorDeliveryToJson),
  refused: parseOperatorDeliveryList('status=delivered'),
})

const getDelivery = operation({
  id: 'getWebhookDelivery',
  tag: 'Webhooks',
  summary: 'Read a delivery of any tenant and its attempts',
  access: 'operator',
  path: z.object({ id: id('dlv').meta({ examples: [deliveryId(delivered.endpointId, delivered.eventId)] }) }),
  answers: ok('The delivery.', operatorDelivery, { delivered: operatorDeliveryToJson(delivered) }),
  refused: parseNoQuery('expand=event'),
  errors: ['DELIVERY_NOT_FOUND'],
})

export const operatorWebhookPaths: ZodOpenApiPathsObject = {
  '/operator/v1/webhook-endpoints': { get: listEndpoints },
  '/operator/v1/webhook-endpoints/{id}': { get: getEndpoint },
  '/operator/v1/webhook-deliveries': { get: listDeliveries },
  '/operator/v1/webhook-deliveries/{id}': { get: getDelivery },
}
