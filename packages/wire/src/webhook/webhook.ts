import { tenantEventTypes, type WebhookEndpoint } from '@quipu/core'
import {
  type AttemptError,
  type AttemptResult,
  attemptTimeoutSeconds,
  byNameOnlyEventTypes,
  type Reactivated,
} from '@quipu/core/adapter'
import { z } from 'zod'
import { idText, time, uuidText } from '../json/answer.ts'
import { wordsOf } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { pageOf } from '../list/list.ts'

/** Sent on request only, whatever the filter of the endpoint. @source spec §6 */
export const testType = 'webhook.test'

/** Every event type, also those added later, but for `byNameOnly`. */
export const allTypes = '*'

/** The types that are sent by name only, for texts. */
export const byNameOnly: string = new Intl.ListFormat('en').format(byNameOnlyEventTypes.map((type) => `\`${type}\``))

const members = {
  id: idText('we'),
  url: z.string().meta({ description: 'As it was given.', examples: ['https://example.com/quipu'] }),
  events: z
    .array(z.union([z.enum([allTypes, ...tenantEventTypes, testType]), z.string()]))
    .meta({
      description: `The event types that the endpoint receives; \`*\` is every type, including those added later, except ${byNameOnly}. Every endpoint receives \`webhook.test\`; it is listed only when the filter has no other type.`,
    }),
  description: z.string().nullable(),
  status: z
    .enum(wordsOf<WebhookEndpoint['status']>({ active: true, paused: true }))
    .meta({
      description:
        '`paused` once too many events in a row have run out of attempts, by you or by an operator; events queue meanwhile.',
    }),
  consecutive_exhausted: z.int().min(0).meta({ description: 'How many events in a row have run out of attempts.' }),
  paused_at: time.nullable().meta({ description: 'Null while it is active.' }),
  paused_by: z
    .enum(['failures', 'tenant', 'operator'])
    .nullable()
    .meta({
      description:
        '`failures`: reactivate it once the receiver works. `tenant`: by `pause`. `operator`: the service’s operator has paused it, and resumes it; ask there. Null while it is active.',
    }),
  secrets: z
    .array(
      z.object({
        last_four: z.string().meta({ examples: ['3f9c'] }),
        expires_at: time
          .nullable()
          .meta({ description: 'Deliveries are signed with it until then; null: the newest one.' }),
      }),
    )
    .meta({
      description: 'The secrets, newest first. One that has expired is listed until the next rotation.',
      examples: [[{ last_four: '3f9c', expires_at: null }]],
    }),
  created_at: time,
  updated_at: time,
}

/** A webhook endpoint in a response. @source spec §1 and §4 name it; its members are assumed */
export const webhook = z
  .object(members)
  .meta({ id: 'Webhook', description: 'A webhook endpoint. Its secret is shown only once.' })
export type WebhookJson = z.output<typeof webhook>

export const webhookToJson = (endpoint: WebhookEndpoint): WebhookJson => ({
  id: endpoint.id,
  url: endpoint.url,
  events: eventsToJson(endpoint.events),
  description: endpoint.description,
  status: endpoint.status,
  consecutive_exhausted: endpoint.consecutiveFailures,
  paused_at: endpoint.pausedAt && instantToJson(endpoint.pausedAt),
  paused_by: pausedBy(endpoint),
  secrets: endpoint.secrets.map(({ lastFour, expiresAt }) => ({
    last_four: lastFour,
    expires_at: expiresAt && instantToJson(expiresAt),
  })),
  created_at: instantToJson(endpoint.createdAt),
  updated_at: instantToJson(endpoint.updatedAt),
})

/** The filter of an endpoint. Null is every type; one without types receives tests only. */
function eventsToJson(events: WebhookEndpoint['events']): string[] {
  if (events === null) return [allTypes]
  return events.length === 0 ? [testType] : [...events]
}

function pausedBy({ status, isPausedByTenant, operatorPause }: WebhookEndpoint): WebhookJson['paused_by'] {
  if (status === 'active') return null
  if (operatorPause) return 'operator'
  return isPausedByTenant ? 'tenant' : 'failures'
}

export const webhookPage = pageOf(webhook, 'WebhookPage')

/** Answers the registration of an endpoint or the rotation of its secret. @source spec §4, §5 */
export const webhookWithSecret = z
  .object({
    ...members,
    secret: z
      .string()
      .meta({
        description: 'The key of the HMAC: the whole text, prefix included. Shown here and never again: keep it.',
        examples: [`whsec_${'0a'.repeat(32)}`],
      }),
  })
  .meta({ id: 'WebhookWithSecret' })
export type WebhookWithSecretJson = z.output<typeof webhookWithSecret>

export const webhookWithSecretToJson = (endpoint: WebhookEndpoint, secret: string): WebhookWithSecretJson => ({
  ...webhookToJson(endpoint),
  secret,
})

/** Answers the reading of one endpoint. */
export const webhookWithQueue = z
  .object({ ...members, queued: z.int().min(0).meta({ description: 'Deliveries that are pending or held.' }) })
  .meta({ id: 'WebhookWithQueue' })
export type WebhookWithQueueJson = z.output<typeof webhookWithQueue>

export const webhookWithQueueToJson = (endpoint: WebhookEndpoint, queued: number): WebhookWithQueueJson => ({
  ...webhookToJson(endpoint),
  queued,
})

/** Answers the reactivation of an endpoint. @source spec §6 Delivery, rule 5 */
export const reactivatedWebhook = z
  .object({
    ...members,
    requeued: z
      .int()
      .min(0)
      .meta({ description: 'Deliveries that were held or waited for a later attempt, and are due now.' }),
    redelivered: z.int().min(0).meta({ description: 'Deliveries that had run out of attempts and are sent again.' }),
  })
  .meta({ id: 'ReactivatedWebhook' })
export type ReactivatedWebhookJson = z.output<typeof reactivatedWebhook>

export const reactivatedWebhookToJson = ({ endpoint, requeued, redelivered }: Reactivated): ReactivatedWebhookJson => ({
  ...webhookToJson(endpoint),
  requeued,
  redelivered,
})

const attemptErrors = {
  TIMEOUT: `no answer within ${attemptTimeoutSeconds} seconds in all`,
  REDIRECT: 'a redirect, which is not followed',
  STATUS: 'another status than a 2xx',
  NAME_NOT_FOUND: 'the host’s name does not resolve',
  ADDRESS_BLOCKED: 'the host’s address is private or reserved; nothing was sent',
  TLS: 'the certificate is not valid, or the handshake failed',
  CONNECTION_REFUSED: 'the host refused the connection',
  CONNECTION_RESET: 'the connection was closed before the answer',
  PROTOCOL: 'the answer is not HTTP',
  SECRET_UNREADABLE: 'a fault on our side; nothing was sent',
  ABANDONED: 'a fault on our side; nothing was sent in this attempt',
} as const satisfies Readonly<Record<AttemptError, string>>

const errorNames = Object.keys(attemptErrors) as AttemptError[]

/** The members of an attempt's result that deliveries and tests share. */
export const attemptResult = {
  status_code: z.int().nullable().meta({ description: 'Null when there was no answer.' }),
  latency_ms: z.int().min(0),
  error: z
    .union([z.enum(errorNames), z.string()])
    .nullable()
    .meta({
      description: `Null when a 2xx arrived. ${errorNames.map((name) => `\`${name}\`: ${attemptErrors[name]}.`).join(' ')} Codes may be added.`,
    }),
}

export const attemptResultToJson = (
  result: AttemptResult,
): { status_code: number | null; latency_ms: number; error: string | null } => ({
  status_code: result.statusCode,
  latency_ms: Math.round(result.latencyMs),
  error: result.error,
})

/** Answers the test of an endpoint. @source spec §6 `webhook.test`; its members are assumed */
export const webhookTest = z
  .object({
    event_id: uuidText,
    delivered: z.boolean().meta({ description: 'Whether the receiver answered with a 2xx.' }),
    ...attemptResult,
  })
  .meta({ id: 'WebhookTest' })
export type WebhookTestJson = z.output<typeof webhookTest>

export const webhookTestToJson = (eventId: string, result: AttemptResult): WebhookTestJson => ({
  event_id: eventId,
  delivered: result.error === null,
  ...attemptResultToJson(result),
})
