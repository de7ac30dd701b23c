import { timezones } from '@quipu/core/operator'
import { whole } from '@quipu/runtime'
import { digestLanguages } from '@quipu/wire'
import { z } from 'zod'

/** When the worker sends the daily digest to the operator's gateway, and how it is written. */
export const digestSettings = {
  DIGEST_HOUR: whole(0, 23)
    .default(8)
    .describe('Hour of the day at which the daily digest is sent to OPERATOR_ALERT_URL.'),
  DIGEST_TIMEZONE: z
    .enum(timezones, `must be ${timezones.join(' or ')}`)
    .default('America/La_Paz')
    .describe('Zone of DIGEST_HOUR.'),
  DIGEST_LANGUAGE: z.enum(digestLanguages, 'must be en or es').default('en').describe('Language of the daily digest.'),
}
