import { type Bob, parseMoney } from '@quipu/core'
import { defaultReconciliationTiming } from '@quipu/core/operator'
import { z } from 'zod'
import { whole } from './settings.ts'

/** The variables of the processes that reconcile, or show what is compared. */
export const reconciliationSettings: {
  readonly RECONCILIATION_SETTLE_SECONDS: z.ZodDefault<z.ZodCoercedNumber>
  readonly NETWORK_LIQUIDITY_FLOOR_BOB: z.ZodOptional<z.ZodType<Bob | 'off', string>>
} = {
  RECONCILIATION_SETTLE_SECONDS: whole(1, 86_400)
    .default(defaultReconciliationTiming.settleSeconds)
    .describe(
      'How long after its end a period of the network’s statement is compared with the payouts; the same for API and worker.',
    ),
  NETWORK_LIQUIDITY_FLOOR_BOB: z
    .string()
    .transform((text) => (text === 'off' ? text : parseMoney('BOB', text)))
    .refine(
      (floor): floor is Bob | 'off' => floor === 'off' || (floor !== undefined && floor.minor > 0n),
      'must be off, or an amount of BOB above 0 such as 50000.00, with at most two decimals',
    )
    .optional()
    .describe(
      'The worker raises an alert while the network can pay out less than this; the same for API and worker. off: the network’s liquidity is not watched. Production requires one of both.',
    ),
}
