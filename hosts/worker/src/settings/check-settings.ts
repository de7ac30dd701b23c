import { type Bob, parseMoney } from '@quipu/core'
import { reconciliationSettings, whole } from '@quipu/runtime'
import { z } from 'zod'

const floorRule = 'must be an amount of BOB above 0 such as 50000.00, with at most two decimals'

/** How the worker compares payouts and deposits with the QR network and the chain. */
export const checkSettings = {
  ...reconciliationSettings,
  RECONCILIATION_LEASE_SECONDS: whole(3, 3_600)
    .default(300)
    .describe(
      'How long a reconciliation run stays leased to a worker that has stopped responding; one slice takes less.',
    ),
  TRON_CHECK_REQUESTS_PER_SECOND: whole(1, 1_000)
    .default(2)
    .describe(
      'Requests a second that each worker spends on balances of top-up addresses, in addition to TRON_REQUESTS_PER_SECOND.',
    ),
  NETWORK_LIQUIDITY_FLOOR_BOB: z
    .string()
    .transform((text) => parseMoney('BOB', text))
    .refine((floor): floor is Bob => floor !== undefined && floor.minor > 0n, floorRule)
    .optional()
    .describe(
      'The worker raises an alert while the network can pay out less than this. Without it the network’s liquidity is not polled.',
    ),
  NETWORK_LIQUIDITY_SECONDS: whole(1, 3_600)
    .default(60)
    .describe('Seconds between two polls of the network’s liquidity.'),
}
