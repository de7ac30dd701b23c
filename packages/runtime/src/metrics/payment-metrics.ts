import type { RestoreStore } from '@quipu/core/operator'
import type { Metrics } from './metrics.ts'

/** Whether payments begin: every process exposes the same value, none during an outage. */
export function paymentMetrics(metrics: Metrics, restores: Pick<RestoreStore, 'gate'>): void {
  metrics.observed(
    {
      name: 'quipu_payments_halted',
      help: 'Whether no payment begins, as an operator has stopped payouts, or the database went back or nothing shows yet that it did not; must be 0.',
    },
    async () => {
      const gate = await restores.gate().catch(() => undefined)
      return gate ? [[{}, Number([gate.stop, gate.halt, gate.unchecked].some((state) => state !== null))]] : []
    },
  )
}
