import { defaultToleranceSeconds, signWebhook } from '@quipu/core'
import { attemptTimeoutSeconds, type OutgoingEvent } from '@quipu/core/adapter'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { depositToJson } from '../deposit/deposit-to-json.ts'
import { depositEvent, payoutEvent, type WebhookTestEventJson, webhookTestEvent } from './event.ts'
import { instantToJson } from '../json/instant.ts'
import { payoutToJson } from '../payout/payout-to-json.ts'
import { payouts, position } from '../openapi/example.ts'
import { closedDeposit, deposits } from '../openapi/funding-example.ts'
import { endpoint, secret } from '../webhook/webhook-example.ts'

type Described = { readonly summary: string; readonly schema: z.ZodType; readonly data: unknown }

const payout = (name: keyof typeof payouts, summary: string): Described => ({
  summary,
  schema: payoutEvent,
  data: payoutToJson(payouts[name]),
})
const deposit = (data: keyof typeof deposits | typeof closedDeposit, summary: string): Described => ({
  summary,
  schema: depositEvent,
  data: depositToJson(typeof data === 'string' ? deposits[data] : data),
})

const events: Readonly<Record<OutgoingEvent['type'], Described>> = {
  'payout.completed': payout('completed', 'The merchant was paid. Final.'),
  'payout.failed': payout('failed', 'The network refused the payment; the held USDT is released.'),
  'payout.cancelled': payout('cancelled', 'The payout ended before paying; nothing was debited.'),
  'payout.refunded': payout(
    'completed',
    'The network returned the payment, and the payout’s price was credited to the wallet, once. The payout stays `completed`; the wallet’s transaction names it and has the amount.',
  ),
  'deposit.pending': deposit(
    'pending',
    'A transfer to the top-up address was observed and is not confirmed yet; nothing is credited.',
  ),
  'deposit.credited': deposit('credited', 'The transfer confirmed and was credited. Final.'),
  'deposit.in_review': deposit(
    'in_review',
    'The transfer could not be credited automatically; `deposit.credited` follows if the review credits it, and `deposit.closed` if it does not.',
  ),
  'deposit.closed': deposit(
    closedDeposit,
    'The review ended without a credit: `closed_at` and `close_reason` say when and why. Final.',
  ),
  'webhook.test': {
    summary: 'Sent by `POST /v1/webhooks/{id}/test` only, and never retried.',
    schema: webhookTestEvent,
    data: { webhook_id: endpoint.id } satisfies WebhookTestEventJson['data'],
  },
}

/**
 * The requests that the service sends. @source spec §6
 *
 * @param headerPrefix  the prefix of the two signature headers: the operator's brand
 */
export const webhooks = (headerPrefix: string): ZodOpenApiPathsObject =>
  Object.fromEntries(
    Object.entries(events).map(([type, { summary, schema, data }]) => {
      const event = eventOf(type, data)
      const post = {
        operationId: operationId(type),
        tags: ['Events'],
        summary,
        security: [],
        requestParams: { header: signatureHeaders(headerPrefix, event) },
        requestBody: {
          required: true,
          content: { 'application/json': { schema, examples: { [type]: { value: event } } } },
        },
        responses: {
          '2XX': { description: `Received. Answer within ${attemptTimeoutSeconds} seconds and work afterwards.` },
        },
      }
      return [type, { post }]
    }),
  )

/** `onPayoutCompleted`, `onDepositInReview`. */
const operationId = (type: string): string =>
  `on${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`

/** The headers of an event, signed with the example's secret. */
const signatureHeaders = (prefix: string, event: { readonly id: string }) =>
  z.object({
    [`${prefix}Signature`]: z
      .string()
      .regex(/^t=[0-9]+(?:,v1=[0-9a-f]{64})+$/)
      .meta({
        description: `\`t=<unix seconds>,v1=<hex>\`: HMAC-SHA256 of \`<t>.<raw body>\` with the endpoint’s secret, one \`v1\` for each that is valid. Compare in constant time, and refuse a \`t\` older than ${defaultToleranceSeconds} seconds.`,
        examples: [signWebhook([secret], new TextEncoder().encode(JSON.stringify(event)), sentAt)],
      }),
    [`${prefix}Event-Id`]: z.string().meta({ description: 'Equal to the envelope’s `id`.', examples: [event.id] }),
  })

const recordedAt = new Date(position.createdAt.getTime() + 1004)
const sentAt = new Date(position.createdAt.getTime() + 1020)

const eventOf = (type: string, data: unknown) => ({
  id: '019aa1f4-54f0-7000-8000-00000000000b',
  type,
  event_version: 1,
  occurred_at: instantToJson(new Date(position.createdAt.getTime() + 1000)),
  recorded_at: instantToJson(recordedAt),
  data,
})
