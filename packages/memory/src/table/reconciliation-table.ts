import type { ReconciliationRun } from '@quipu/core/operator'
import { newestFirst, type NewestFirst } from '../newest-first.ts'

export type ReconciliationRow = {
  run: ReconciliationRun
  fencingToken: number
  /** When it may be claimed, unless it has completed. */
  dueAt: Date
}

export type ReconciliationTable = { readonly rows: Map<string, ReconciliationRow>; readonly order: NewestFirst }

export const reconciliationTable = (): ReconciliationTable => ({ rows: new Map(), order: newestFirst() })
