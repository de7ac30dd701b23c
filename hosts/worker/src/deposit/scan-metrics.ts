import { unmatchedKinds, type UnmatchedTransfer } from '@quipu/core'
import type { Metrics } from '@quipu/runtime'

type CountInView = (labels: { readonly view: 'head' | 'solid' }, count: number) => void

/** Counts of the scans of both views of the chain. */
export type ScanMetrics = {
  readonly countBlocks: CountInView
  readonly countTransfers: CountInView
  /** In solid blocks. */
  readonly countUnmatched: (labels: Readonly<Pick<UnmatchedTransfer, 'kind'>>, count: number) => void
}

const known = [{ view: 'head' }, { view: 'solid' }] as const

export const scanMetrics = (metrics: Metrics): ScanMetrics => ({
  countBlocks: metrics.counter({
    name: 'quipu_scan_blocks_total',
    help: 'Blocks that this worker has scanned, by view.',
    labels: ['view'],
    known,
  }),
  countTransfers: metrics.counter({
    name: 'quipu_scan_transfers_total',
    help: 'Transfers to top-up addresses in them, known ones included, by view.',
    labels: ['view'],
    known,
  }),
  countUnmatched: metrics.counter({
    name: 'quipu_scan_unmatched_transfers_total',
    help: 'Transfers to top-up addresses in solid blocks that open no deposit, by kind.',
    labels: ['kind'],
    known: unmatchedKinds.map((kind) => ({ kind })),
  }),
})
