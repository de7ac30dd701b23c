import { deliveryId } from '@quipu/core/adapter'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { at } from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import { delivered, endpoint, held, pausedEndpoint } from './webhook-example.ts'
import { delivery, deliveryToJson } from './delivery.ts'
import {
  endpointPause,
  endpointResumption,
  endpointState,
  endpointStateToJson,
  parseEndpointPause,
  parseEndpointResumption,
  resumedEndpoint,
  resumedEndpointToJson,
} from './endpoint-control.ts'

const tag = 'Webhooks'
const access = 'operator'
const webhookId = id('we').meta({ examples: [endpoint.id] })
const path = z.object({ id: webhookId })
const errors = ['WEBHOOK_NOT_FOUND'] as const
const reason = 'The owner of its host asks us to stop.'
const operatorPause = { by: 'omar', at: at(86_400), reason }

const pause = operation({
  id: 'pauseWebhookEndpoint',
  tag,
  summary: 'Pause a tenant’s webhook endpoint',
  description:
    'Its events queue until an operator resumes it: the tenant can neither reactivate it nor resend its deliveries, and sees `paused_by: operator` without the reason. Attempts under way are made. An endpoint that is paused after failures can be paused as well. While an operator’s pause lasts, the request changes nothing.',
  access,
  path,
  body: { schema: endpointPause, examples: { asked: { reason } } },
  answers: ok('The endpoint is paused.', endpointState, {
    paused: endpointStateToJson({ ...pausedEndpoint, consecutiveFailures: 0, operatorPause }),
  }),
  refused: parseEndpointPause({ reason: '' }),
  errors,
})

const resume = operation({
  id: 'resumeWebhookEndpoint',
  tag,
  summary: 'Resume a tenant’s webhook endpoint',
  description:
    'Does what `POST /v1/webhooks/{id}/reactivate` does for the tenant, also when an operator paused it: what queued is sent in the order of the events, a limited number a second.',
  access,
  path,
  body: {
    schema: endpointResumption,
    examples: { empty: {}, agreed: { reason: 'The tenant has moved the receiver.' } },
    optional: true,
  },
  answers: ok('The endpoint, and how many deliveries are sent.', resumedEndpoint, {
    resumed: resumedEndpointToJson({ endpoint, requeued: 1_204, redelivered: 0 }),
  }),
  refused: parseEndpointResumption({ reason: '' }),
  errors,
})

const resend = operation({
  id: 'resendWebhookDelivery',
  tag,
  summary: 'Send a tenant’s delivery once more',
  description: 'Makes one attempt, as the tenant’s own request does, also while an operator’s pause lasts.',
  access,
  path: z.object({
    id: webhookId,
    delivery_id: id('dlv').meta({ examples: [deliveryId(endpoint.id, delivered.eventId)] }),
  }),
  body: noBody,
  answers: {
    202: {
      description: 'The delivery, `pending` until the attempt has been made.',
      schema: delivery,
      examples: { pending: deliveryToJson({ ...held, status: 'pending', nextAttemptAt: at(86_400) }) },
    },
  },
  refused: parseNoBody({ times: 2 }),
  errors: [...errors, 'DELIVERY_NOT_FOUND', 'DELIVERY_PENDING'],
})

export const endpointControlPaths: ZodOpenApiPathsObject = {
  '/operator/v1/webhook-endpoints/{id}/pause': { post: pause },
  '/operator/v1/webhook-endpoints/{id}/resume': { post: resume },
  '/operator/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/resend': { post: resend },
}
