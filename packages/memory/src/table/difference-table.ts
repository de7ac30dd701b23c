import type { Difference } from '@quipu/core/operator'
import { newestFirst, type NewestFirst } from '../newest-first.ts'

export type DifferenceTable = {
  readonly byId: Map<string, Difference>
  readonly order: NewestFirst
  /** When each got the number of its newest change. */
  readonly changedAt: Map<string, Date>
  lastChange: bigint
}

export const differenceTable = (): DifferenceTable => ({
  byId: new Map(),
  order: newestFirst(),
  changedAt: new Map(),
  lastChange: 0n,
})
