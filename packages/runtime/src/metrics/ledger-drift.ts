import type { Usdt } from '@quipu/core'
import type { Metrics } from './metrics.ts'

/** Records by how much a wallet's balance differs from its postings: 0 when it does not. */
export type RecordDrift = (tenantId: string, drift: Usdt) => void

/** The metric to page on: the sum of the differences of all wallets that this process reconciled. */
export function ledgerDriftMetric(metrics: Metrics): RecordDrift {
  const drifting = new Map<string, bigint>()
  const setSum = metrics.gauge({
    name: 'quipu_ledger_drift_micro_usdt',
    help: 'Micro-USDT by which wallets differ from their postings, as last reconciled; must be 0.',
  })
  return (tenantId, { minor }) => {
    if (minor === 0n) drifting.delete(tenantId)
    else drifting.set(tenantId, minor < 0n ? -minor : minor)
    const sum = [...drifting.values()].reduce((sum, each) => sum + each, 0n)
    setSum({}, Number(sum)) // Loses precision above 2⁵³, which does not matter for an alert.
  }
}
