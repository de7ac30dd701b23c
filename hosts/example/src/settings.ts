import { AppSettings } from '@quipu/api'
import { isIPv6 } from 'node:net'
import { commonSettings, webhookSettings, whole } from '@quipu/runtime'
import { z } from 'zod'
import { defaultKeyLimits } from './key/key-states.ts'

/** Requests a second of a source address. */
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
  DOCS_URL: AppSettings.shape.DOCS_URL.describe(
    'URL of the page at /docs, to which errors link. Default: as this machine reaches it, when no other can call.',
  ),
  WEBHOOK_ALLOW_PRIVATE: webhookSettings.WEBHOOK_ALLOW_PRIVATE,
  WEBHOOK_HEADER_PREFIX: webhookSettings.WEBHOOK_HEADER_PREFIX,
  STOP_WITHIN_MS: whole(0, 600_000)
    .default(10_000)
    .describe('How long a stop waits for requests and webhooks in flight.'),
})
export type ExampleSettings = z.output<typeof ExampleSettings>

const loopback = /^(localhost|127\..+|::1)$/

type Reach = Pick<ExampleSettings, 'HOST' | 'TRUSTED_PROXIES'>

/** Whether only this machine can call: on a loopback address, and no proxy forwards requests of others. */
export const isOnlyLocal = ({ HOST, TRUSTED_PROXIES }: Reach): boolean => loopback.test(HOST) && TRUSTED_PROXIES === 0

/** Where errors link to; undefined where neither a setting nor the address says it. */
export function docsUrlOf(settings: Reach & Pick<ExampleSettings, 'DOCS_URL' | 'PORT'>): string | undefined {
  const { DOCS_URL, HOST, PORT } = settings
  if (DOCS_URL !== undefined || !isOnlyLocal(settings) || PORT === 0) return DOCS_URL
  return `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${PORT}/docs`
}
