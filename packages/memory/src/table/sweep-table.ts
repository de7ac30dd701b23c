import type { SweepBatch, SweepTransfer } from '@quipu/core/operator'
import { newestFirst, type NewestFirst } from '../newest-first.ts'

export type SweepRow = {
  transfer: SweepTransfer
  fencingToken: number
  claimCount: number
  /** When a worker may claim it, unless it has ended. */
  dueAt: Date
}

export type SweepTable = {
  readonly batches: Map<string, SweepBatch>
  readonly order: NewestFirst
  readonly transfers: Map<string, SweepRow>
}

export const sweepTable = (): SweepTable => ({ batches: new Map(), order: newestFirst(), transfers: new Map() })
