import { deliveryId } from '@quipu/core/adapter'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { uuidText } from '../json/answer.ts'
import { cursorScope } from '../list/cursor.ts'
import { pageToJson } from '../list/list.ts'
import { send } from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'
import * as webhooks from '../openapi/webhook-example.ts'
import {
  operatorDelivery,
  operatorDeliveryListQuery,
  operatorDeliveryPage,
  operatorDeliveryToJson,
  parseOperatorDeliveryList,
} from './delivery.ts'
import {
  operatorEventListQuery,
  operatorEventPage,
  operatorEventToJson,
  parseOperatorEventList,
  sentEvent,
  sentEventToJson,
} from './event.ts'
import {
  operatorFaucetSend,
  operatorFaucetSendListQuery,
  operatorFaucetSendPage,
  operatorFaucetSendToJson,
  parseOperatorFaucetSendList,
} from './faucet-send.ts'

const listEvents = operation({
  id: 'listEvents',
  tag: 'Events',
  summary: 'List the events of all tenants, newest first',
  description:
    'A page of `type=payout.completed` of all tenants may have fewer items than its limit and still a `next_cursor`.',
  access: 'operator',
  query: operatorEventListQuery,
  answers: {
    200: {
      description: 'A page.',
      schema: operatorEventPage,
      examples: {
        last: pageToJson(
          { items: [webhooks.event], next: null },
          operatorEventToJson,
          cursorScope('events', 'operator'),
        ),
      },
    },
  },
  refused: parseOperatorEventList('type=payout.paid&limit=0'),
})

const getEvent = operation({
  id: 'getEvent',
  tag: 'Events',
  summary: 'Read an event of any tenant, as its endpoints receive it',
  access: 'operator',
  path: z.object({ id: uuidText.meta({ examples: [webhooks.event.id] }) }),
  answers: {
    200: { description: 'The event.', schema: sentEvent, examples: { completed: sentEventToJson(webhooks.event) } },
  },
  refused: parseNoQuery('expand=subject'),
  errors: ['EVENT_NOT_FOUND'],
})

const listDeliveries = operation({
  id: 'listWebhookDeliveries',
  tag: 'Webhooks',
  summary: 'List the deliveries of a tenant, an endpoint or an event, newest event first',
  description: 'One of `tenant_id`, `endpoint_id` and `event_id` is required.',
  access: 'operator',
  query: operatorDeliveryListQuery,
  answers: {
    200: {
      description: 'A page.',
      schema: operatorDeliveryPage,
      examples: {
        last: pageToJson(
          { items: [webhooks.delivered], next: null },
          operatorDeliveryToJson,
          cursorScope('all_deliveries', 'operator'),
        ),
      },
    },
  },
  refused: parseOperatorDeliveryList('status=delivered'),
})

const getDelivery = operation({
  id: 'getWebhookDelivery',
  tag: 'Webhooks',
  summary: 'Read a delivery of any tenant and its attempts',
  access: 'operator',
  path: z.object({
    id: id('dlv').meta({ examples: [deliveryId(webhooks.delivered.endpointId, webhooks.delivered.eventId)] }),
  }),
  answers: {
    200: {
      description: 'The delivery.',
      schema: operatorDelivery,
      examples: { delivered: operatorDeliveryToJson(webhooks.delivered) },
    },
  },
  refused: parseNoQuery('expand=event'),
  errors: ['DELIVERY_NOT_FOUND'],
})

const listSends = operation({
  id: 'listFaucetSends',
  tag: 'Faucet sends',
  summary: 'List the faucet sends of all tenants, newest first',
  description:
    'A filtered page may have fewer items than its limit and still a `next_cursor`. In production there are none.',
  access: 'operator',
  query: operatorFaucetSendListQuery,
  answers: {
    200: {
      description: 'A page.',
      schema: operatorFaucetSendPage,
      examples: {
        last: pageToJson(
          { items: [send], next: null },
          operatorFaucetSendToJson,
          cursorScope('faucet_sends', 'operator'),
        ),
      },
    },
  },
  refused: parseOperatorFaucetSendList('status=sent&limit=0'),
})

const getSend = operation({
  id: 'getFaucetSend',
  tag: 'Faucet sends',
  summary: 'Read a faucet send of any tenant',
  access: 'operator',
  path: z.object({ id: uuidText.meta({ examples: [send.id] }) }),
  answers: {
    200: { description: 'The send.', schema: operatorFaucetSend, examples: { send: operatorFaucetSendToJson(send) } },
  },
  refused: parseNoQuery('expand=tenant'),
  errors: ['NOT_FOUND'],
})

export const operatorEventPaths: ZodOpenApiPathsObject = {
  '/operator/v1/events': { get: listEvents },
  '/operator/v1/events/{id}': { get: getEvent },
  '/operator/v1/webhook-deliveries': { get: listDeliveries },
  '/operator/v1/webhook-deliveries/{id}': { get: getDelivery },
  '/operator/v1/faucet-sends': { get: listSends },
  '/operator/v1/faucet-sends/{id}': { get: getSend },
}
