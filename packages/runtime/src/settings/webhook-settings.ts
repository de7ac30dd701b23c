import { defaultRetryPolicy, type RetryPolicy } from '@quipu/core'
import { attemptsOnRecord } from '@quipu/core/adapter'
import { z } from 'zod'
import { keyRing } from './key-ring.ts'
import { flag, type SettingIssue, whole } from './settings.ts'

/** The variables of every host that sends webhooks or registers endpoints. */
export const webhookSettings = {
  WEBHOOK_SECRET_KEY: keyRing('the keys that encrypt signing secrets')
    .optional()
    .describe(
      'Encrypts the signing secrets of webhook endpoints: 32 bytes in hex, the same for API and worker. Without it there are no webhooks. While it is rotated, several keys with ids, the current one first.',
    ),
  WEBHOOK_HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,40}-$/, 'must be the beginning of a header’s name, with a - at its end')
    .default('X-Service-')
    .describe('Prefix of the headers that carry the signature and the event id.'),
  WEBHOOK_ALLOW_PRIVATE: flag.describe(
    'Allows http, any port and private addresses, for development and tests; never in production.',
  ),
  WEBHOOK_ATTEMPTS: whole(1, 100)
    .default(defaultRetryPolicy.attempts)
    .describe(`Attempts of a delivery in total; the newest ${attemptsOnRecord} are kept.`),
  WEBHOOK_MAX_DELAY_SECONDS: whole(30, 86_400)
    .default(defaultRetryPolicy.maxDelaySeconds)
    .describe('Longest delay between two attempts.'),
}

/** The retry policy that the variables set: the worker applies it, and the API’s document states it. */
export const retryPolicyOf = (settings: {
  readonly WEBHOOK_ATTEMPTS: number
  readonly WEBHOOK_MAX_DELAY_SECONDS: number
}): RetryPolicy => ({
  ...defaultRetryPolicy,
  attempts: settings.WEBHOOK_ATTEMPTS,
  maxDelaySeconds: settings.WEBHOOK_MAX_DELAY_SECONDS,
})

/** Refuses private webhook URLs in production. */
export const webhookIssues = (settings: {
  readonly ENVIRONMENT?: 'sandbox' | 'production' | undefined
  readonly WEBHOOK_ALLOW_PRIVATE?: boolean
}): readonly SettingIssue[] =>
  settings.ENVIRONMENT === 'production' && settings.WEBHOOK_ALLOW_PRIVATE === true
    ? [{ variable: 'WEBHOOK_ALLOW_PRIVATE', message: 'must not be true in production' }]
    : []
