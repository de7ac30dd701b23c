import { defaultRetryPolicy } from '@quipu/core'
import { z } from 'zod'
import { whole } from './settings.ts'

const isTrue = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true')

/** The variables of every host that sends webhooks, or registers where they go. */
export const webhookSettings = {
  WEBHOOK_SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be the key that encrypts signing secrets: 64 hex digits')
    .transform((hex) => Uint8Array.from(Buffer.from(hex, 'hex')))
    .optional()
    .describe(
      'Encrypts the signing secrets of webhook endpoints: 32 bytes in hex, the same for API and worker. Without it there are no webhooks.',
    ),
  WEBHOOK_HEADER_PREFIX: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9-]{0,40}-$/,
      'must be the beginning of a header’s name, with a - at its end',
    )
    .default('X-Service-')
    .describe('What the names of the signature’s and the event id’s headers begin with.'),
  WEBHOOK_ALLOW_PRIVATE: isTrue.describe(
    'Allows http, any port and private addresses, for development and tests; never in production.',
  ),
}

/** What the worker needs besides. */
export const deliverySettings = {
  WEBHOOK_DELIVERY: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe('While it is off events queue; turning it on sends everything.'),
  WEBHOOK_ATTEMPTS: whole(1, 100)
    .default(defaultRetryPolicy.attempts)
    .describe('How often a delivery is tried in all.'),
  WEBHOOK_MAX_DELAY_SECONDS: whole(30, 86_400)
    .default(defaultRetryPolicy.maxDelaySeconds)
    .describe('The longest pause between two attempts; it binds when there are more than eight.'),
  WEBHOOK_AT_ONCE: whole(2, 10_000)
    .default(600)
    .describe(
      'Deliveries that this process works on at once; a third are kept for slow receivers.',
    ),
  WEBHOOK_PER_ENDPOINT: whole(1, 1_000)
    .default(8)
    .describe('Deliveries of one endpoint that are under way at once, in all processes.'),
  WEBHOOK_PER_TENANT: whole(1, 16_000)
    .default(32)
    .describe(
      'Deliveries of one tenant that are under way at once, in all processes; those at slow receivers are counted by themselves.',
    ),
  WEBHOOK_CATCH_UP_PER_SECOND: whole(1, 1_000_000)
    .default(50)
    .describe(
      'What an endpoint is sent in a second at most, until it has caught up after a pause.',
    ),
  WEBHOOK_IDLE_MS: whole(5, 60_000)
    .default(20)
    .describe('Pause in milliseconds when no delivery is due.'),
  WEBHOOK_LEASE_SECONDS: whole(3, 3_600)
    .default(30)
    .describe(
      'How long a delivery stays with a worker that has gone silent. A receiver may take 10 s: one that takes longer than this is sent the event again.',
    ),
}

/** What is wrong with how webhooks are configured. */
export const webhookIssues = (settings: {
  readonly ENVIRONMENT?: 'sandbox' | 'production' | undefined
  readonly WEBHOOK_ALLOW_PRIVATE?: boolean
}): readonly { readonly variable: string; readonly message: string }[] =>
  settings.ENVIRONMENT === 'production' && settings.WEBHOOK_ALLOW_PRIVATE === true
    ? [{ variable: 'WEBHOOK_ALLOW_PRIVATE', message: 'must not be true in production' }]
    : []
