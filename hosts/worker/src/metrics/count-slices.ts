import type { ReconciledSlice, ReconciliationCheck } from '@quipu/core/operator'
import type { Metrics } from '@quipu/runtime'

/** Counts what slices have compared, and the differences that they found. */
export type CountSlice = (check: ReconciliationCheck, slice: Pick<ReconciledSlice, 'compared' | 'differences'>) => void

const known = [{ check: 'network' }, { check: 'chain' }] as const

export function countSlices(metrics: Metrics): CountSlice {
  const compared = metrics.counter({
    name: 'quipu_reconciliation_compared_total',
    help: 'Statement lines or balances that this worker has compared, by check.',
    labels: ['check'],
    known,
  })
  const differences = metrics.counter({
    name: 'quipu_reconciliation_differences_total',
    help: 'Differences that this worker has found in them, known ones included, by check.',
    labels: ['check'],
    known,
  })
  return (check, slice) => {
    compared({ check }, slice.compared)
    differences({ check }, slice.differences)
  }
}
