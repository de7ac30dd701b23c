import type { Difference } from '@quipu/core/operator'
import { newestFirst, type NewestFirst } from '../newest-first.ts'

export type DifferenceTable = {
  readonly byId: Map<string, Difference>
  readonly order: NewestFirst
  lastChange: bigint
}

export const differenceTable = (): DifferenceTable => ({
  byId: new Map(),
  order: newestFirst(),
  lastChange: 0n,
})
