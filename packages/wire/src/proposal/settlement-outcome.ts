import type { SettlePayout } from '@quipu/core/operator'

/** The outcomes that people may decide. */
export const settlementOutcomes = [
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly SettlePayout['outcome'][]
