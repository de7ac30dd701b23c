import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { payoutEvent, type payoutEventTypes } from '../event.ts'
import { payoutToJson } from '../payout.ts'
import { instantToJson } from '../instant.ts'
import * as example from './example.ts'

type EventType = (typeof payoutEventTypes)[number]

const events: Readonly<
  Record<EventType, { summary: string; payout: keyof typeof example.payouts }>
> = {
  'payout.completed': { summary: 'The merchant was paid. Final.', payout: 'completed' },
  'payout.failed': {
    summary: 'The network refused the payment; the held USDT is released.',
    payout: 'failed',
  },
  'payout.cancelled': {
    summary: 'The payout ended before paying; nothing was debited.',
    payout: 'cancelled',
  },
}

/**
 * The requests that the service sends. @source spec §6
 *
 * @param headerPrefix  of the two signature headers: the operator's brand
 */
export const webhooks = (headerPrefix: string): ZodOpenApiPathsObject =>
  Object.fromEntries(
    Object.entries(events).map(([type, { summary, payout }]) => [
      type,
      {
        post: {
          operationId: `on${payout.charAt(0).toUpperCase()}${payout.slice(1)}`,
          tags: ['Events'],
          summary,
          security: [],
          requestParams: { header: signatureHeaders(headerPrefix) },
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: payoutEvent,
                examples: { [type]: { value: eventExample(type as EventType, payout) } },
              },
            },
          },
          responses: { '2XX': { description: 'Received. Answer within 10 seconds.' } },
        },
      },
    ]),
  )

const signatureHeaders = (prefix: string) =>
  z.object({
    [`${prefix}Signature`]: z
      .string()
      .regex(/^t=[0-9]+(?:,v1=[0-9a-f]{64})+$/)
      .meta({
        description:
          '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the endpoint’s secret. Refuse a `t` older than 300 seconds.',
      }),
    [`${prefix}Event-Id`]: z.string().meta({ description: 'The same as the envelope’s `id`.' }),
  })

const eventExample = (type: EventType, payout: keyof typeof example.payouts): unknown => ({
  id: '019aa1f4-54f0-7000-8000-00000000000b',
  type,
  event_version: 1,
  occurred_at: instantToJson(new Date(example.position.createdAt.getTime() + 1000)),
  recorded_at: instantToJson(new Date(example.position.createdAt.getTime() + 1004)),
  data: payoutToJson(example.payouts[payout]),
})
