import { logLevels } from '@quipu/runtime'
import { z } from 'zod'

const whole = (min: number, max: number): z.ZodCoercedNumber =>
  z.coerce.number(`must be a whole number from ${min} to ${max}`).int().min(min).max(max)

/** The worker's environment variables. */
export const WorkerSettings = z.object({
  DATABASE_URL: z
    .string('is required: postgres://user:password@host:port/database')
    .describe('The PostgreSQL 18 database that the API uses.'),
  QR_NETWORK_URL: z
    .url({ protocol: /^https?$/, error: 'is required: the http(s) URL of the QR network' })
    .describe('Where the QR network is.'),
  QR_NETWORK_TOKEN: z
    .string('is required: the bearer token for the QR network')
    .describe('Bearer token for the QR network.'),
  WORKER_AT_ONCE: whole(1, 1000)
    .default(16)
    .describe('Payouts that this process asks the network about at the same time.'),
  WORKER_IDLE_MS: whole(10, 60_000)
    .default(250)
    .describe('Pause in milliseconds when no payout is due.'),
  LEASE_SECONDS: whole(3, 300)
    .default(15)
    .describe('How long a claim on a payout lasts unless it is renewed.'),
  LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}`)
    .default('info')
    .describe('The least severe lines that are written.'),
})

export type WorkerSettings = z.output<typeof WorkerSettings>
