import { commonSettings, scanSettings, tronComplaints, tronSettings, whole } from '@quipu/runtime'
import { genesisBlockIds } from '@quipu/tron'
import { z } from 'zod'

/** The worker's environment variables. */
export const WorkerSettings = z
  .object({
    ...commonSettings,
    ...tronSettings,
    ...scanSettings,
    ENVIRONMENT: z
      .enum(['sandbox', 'production'], 'must be sandbox or production')
      .default('sandbox')
      .describe('A sandbox never watches the real chain, nor the reverse.'),
    WORKER_AT_ONCE: whole(1, 1000)
      .default(16)
      .describe('Payouts, and deposits, that this process works on at the same time.'),
    WORKER_IDLE_MS: whole(10, 60_000)
      .default(250)
      .describe('Pause in milliseconds when nothing is due.'),
    LEASE_SECONDS: whole(3, 300)
      .default(15)
      .describe('How long a claim lasts unless it is renewed.'),
  })
  .superRefine(
    (settings, context) => {
      for (const { variable, message } of tronComplaints(settings, genesisBlockIds.mainnet))
        context.addIssue({ code: 'custom', path: [variable], message })
    },
    { when: () => true }, // Beside what else is wrong, so that one run tells everything.
  )
export type WorkerSettings = z.output<typeof WorkerSettings>
