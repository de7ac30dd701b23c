import { defaultReconciliationTiming } from '@quipu/core/operator'
import type { z } from 'zod'
import { whole } from './settings.ts'

/** The variable of the processes that open reconciliation runs. */
export const reconciliationSettings: {
  readonly RECONCILIATION_SETTLE_SECONDS: z.ZodDefault<z.ZodCoercedNumber>
} = {
  RECONCILIATION_SETTLE_SECONDS: whole(1, 86_400)
    .default(defaultReconciliationTiming.settleSeconds)
    .describe(
      'How long after its end a period of the network’s statement is compared with the payouts; the same for API and worker.',
    ),
}
