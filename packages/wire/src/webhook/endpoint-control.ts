import type { WebhookEndpoint } from '@quipu/core'
import type { Reactivated } from '@quipu/core/adapter'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { members, text } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { parse, type Parsed } from '../json/parsed.ts'
import { reactivatedWebhook, webhook, webhookToJson } from './webhook.ts'

const { id, ...others } = webhook.shape

const reason = text(1, 500).meta({ examples: ['The owner of its host asks us to stop.'] })

/** An endpoint's members as operators see them. */
export const endpointStateMembers = {
  id,
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

/** The body of `POST /operator/v1/webhook-endpoints/{id}/pause`. */
export const endpointPause = members({ reason }).meta({ id: 'EndpointPauseRequest' })

/** Reads the body of `POST /operator/v1/webhook-endpoints/{id}/pause`. */
export const parseEndpointPause = (body: unknown): Parsed<{ readonly reason: string }> => parse(endpointPause, body)

/** The body of `POST /operator/v1/webhook-endpoints/{id}/resume`. */
export const endpointResumption = members({ reason: reason.optional() }).meta({ id: 'EndpointResumptionRequest' })

/** Reads the body of `POST /operator/v1/webhook-endpoints/{id}/resume`, which may be absent. */
export const parseEndpointResumption = (body: unknown): Parsed<{ readonly reason?: string | undefined }> =>
  parse(endpointResumption, body === undefined ? {} : body)
