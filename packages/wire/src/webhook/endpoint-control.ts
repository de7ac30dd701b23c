import type { WebhookEndpoint } from '@quipu/core'
import { type Reactivated, deliveryId } from '@quipu/core/adapter'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { members, text } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { parse, type Parsed } from '../json/parsed.ts'
import { reactivatedWebhook, webhook, webhookToJson } from './webhook.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { at } from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import { delivered, endpoint, held, pausedEndpoint } from './webhook-example.ts'
import { delivery, deliveryToJson } from './delivery.ts'

const { id: shownId, ...others } = webhook.shape

const reason = text(1, 500).meta({ examples: ['The owner of its host asks us to stop.'] })

/** An endpoint's members as operators see them. */
export const endpointStateMembers = {
  id: shownId,
  tenant_id: idText('ten'),
  ...others,
  operator_pause: z
    .object({ by: z.string().meta({ examples: ['omar'] }), at: time, reason })
    .nullable()
    .meta({
      description:
        'Who of the operators has paused it, and why. Its tenant sees `paused_by` only. Null unless an operator has paused it.',
    }),
}

/** A webhook endpoint as operators see it. */
export const endpointState = z
  .object(endpointStateMembers)
  .meta({ id: 'EndpointState', description: 'A webhook endpoint of any tenant.' })
export type EndpointStateJson = z.output<typeof endpointState>

export function endpointStateToJson(endpoint: WebhookEndpoint): EndpointStateJson {
  const { id, ...others } = webhookToJson(endpoint)
  const { tenantId, operatorPause } = endpoint
  const operator_pause = operatorPause && { ...operatorPause, at: instantToJson(operatorPause.at) }
  return { id, tenant_id: tenantId, ...others, operator_pause }
}

const { requeued, redelivered } = reactivatedWebhook.shape

/** Answers the resumption of an endpoint. */
export const resumedEndpoint = z
  .object({ ...endpointStateMembers, requeued, redelivered })
  .meta({ id: 'ResumedEndpoint' })
export type ResumedEndpointJson = z.output<typeof resumedEndpoint>

export const resumedEndpointToJson = ({ endpoint, requeued, redelivered }: Reactivated): ResumedEndpointJson => ({
  ...endpointStateToJson(endpoint),
  requeued,
  redelivered,
})

const endpointPause = members({ reason }).meta({ id: 'EndpointPauseRequest' })

/** Reads the body of `POST /operator/v1/webhook-endpoints/{id}/pause`. */
export const parseEndpointPause = (body: unknown): Parsed<{ readonly reason: string }> => parse(endpointPause, body)

const endpointResumption = members({ reason: reason.optional() }).meta({ id: 'EndpointResumptionRequest' })

/** Reads the body of `POST /operator/v1/webhook-endpoints/{id}/resume`, which may be absent. */
export const parseEndpointResumption = (body: unknown): Parsed<{ readonly reason?: string | undefined }> =>
  parse(endpointResumption, body === undefined ? {} : body)

const tag = 'Webhooks'
const access = 'operator'
const webhookId = id('we').meta({ examples: [endpoint.id] })
const path = z.object({ id: webhookId })
const errors = ['WEBHOOK_NOT_FOUND'] as const
const why = 'The owner of its host asks us to stop.'
const operatorPause = { by: 'omar', at: at(86_400), reason: why }

const pause = operation({
  id: 'pauseWebhookEndpoint',
  tag,
  summary: 'Pause a tenant’s webhook endpoint',
  description:
    'Its events queue until an operator resumes it: the tenant can neither reactivate it nor resend its deliveries, and sees `paused_by: operator` without the reason. Attempts under way are made. An endpoint that is paused after failures can be paused as well. While an operator’s pause lasts, the request changes nothing.',
  access,
  path,
  body: { schema: endpointPause, examples: { asked: { reason: why } } },
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
