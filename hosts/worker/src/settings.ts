import { commonSettings, whole } from '@quipu/runtime'
import { z } from 'zod'

/** The worker's environment variables. */
export const WorkerSettings = z.object({
  ...commonSettings,
  WORKER_AT_ONCE: whole(1, 1000)
    .default(16)
    .describe('Payouts that this process asks the network about at the same time.'),
  WORKER_IDLE_MS: whole(10, 60_000)
    .default(250)
    .describe('Pause in milliseconds when no payout is due.'),
  LEASE_SECONDS: whole(3, 300)
    .default(15)
    .describe('How long a claim on a payout lasts unless it is renewed.'),
})

export type WorkerSettings = z.output<typeof WorkerSettings>
