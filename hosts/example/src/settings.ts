import { AppSettings } from '@quipu/api'
import { commonSettings, webhookSettings, whole } from '@quipu/runtime'
import { z } from 'zod'
import { defaultKeyLimits } from './key/key-states.ts'

/** Requests a second of a source address. @source assumed */
export const sourceLimitDefault = 50

const limitRule = 'must be off or a whole number from 1 to 100000'

/** The environment variables of the example server. */
export const ExampleSettings = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address that the example server binds.'),
  PORT: whole(0, 65_535).default(4002).describe('Port of the example server; 0 picks a free one.'),
  LOG_LEVEL: commonSettings.LOG_LEVEL,
  TRUSTED_PROXIES: AppSettings.shape.TRUSTED_PROXIES,
  EXAMPLE_KEYS: whole(1, 100_000)
    .default(defaultKeyLimits.keys)
    .describe('How many keys are kept; the least recently used is evicted first.'),
  RATE_LIMIT_SOURCE: z
    .union([z.literal('off'), z.coerce.number(limitRule).int().min(1).max(100_000)])
    .optional()
    .describe(
      `Requests a second of each source address, or off. Default ${sourceLimitDefault}; off when only this machine can call.`,
    ),
  RATE_LIMIT_IPV6_PREFIX: AppSettings.shape.RATE_LIMIT_IPV6_PREFIX,
  WEBHOOK_ALLOW_PRIVATE: webhookSettings.WEBHOOK_ALLOW_PRIVATE,
  WEBHOOK_HEADER_PREFIX: webhookSettings.WEBHOOK_HEADER_PREFIX,
  STOP_WITHIN_MS: whole(0, 600_000)
    .default(10_000)
    .describe('How long a stop waits for requests and webhooks in flight.'),
})
export type ExampleSettings = z.output<typeof ExampleSettings>
