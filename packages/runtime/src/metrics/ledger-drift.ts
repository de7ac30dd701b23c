import type { Usdt } from '@quipu/core'
import type { Metrics } from './metrics.ts'

/** Tells by how much a wallet's balance is not what its postings say; 0 when it is. */
export type ReportDrift = (tenantId: string, drift: Usdt) => void

/**
 * The figure to wake somebody for: how much money, over all wallets that were reconciled here, is
 * not where the ledger says it is.
 */
export function ledgerDrift(metrics: Metrics): ReportDrift {
  const drifting = new Map<string, bigint>()
  const show = metrics.gauge({
    name: 'quipu_ledger_drift_micro_usdt',
    help: 'Micro-USDT by which wallets differ from their postings, as last reconciled; 0 is right.',
  })
  return (tenantId, { minor }) => {
    if (minor === 0n) drifting.delete(tenantId)
    else drifting.set(tenantId, minor < 0n ? -minor : minor)
    const sum = [...drifting.values()].reduce((sum, each) => sum + each, 0n)
    show({}, Number(sum)) // A figure for an alarm, not for accounts: Prometheus has doubles only.
  }
}
