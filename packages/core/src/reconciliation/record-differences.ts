import type { FoundDifference } from '../difference/difference.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import type { Ids } from '../ids.ts'

/** The ports of `differenceRecorder`. */
export type RecordDifferencesPorts = {
  readonly differences: Pick<DifferenceStore, 'record' | 'resolveUnseen'>
  readonly ids: Ids
}

/** A difference as a check has found it. */
export type NewDifference = Omit<FoundDifference, 'id' | 'check' | 'scope'>

/** Records the differences of one scope. */
export type DifferenceRecorder = {
  add(difference: NewDifference): Promise<void>
  /** Records the rest; those of a whole scope that were not added are gone. @returns how many were added */
  complete(): Promise<number>
}

/** A wrong configuration makes every line differ: beyond this number of a kind, a scope counts them only. */
const recordedMax = 100
const batchSize = 50

/**
 * Records what one slice finds, in batches. More than a hundred differences of a kind are recorded as one
 * more, which says how many there are.
 */
export function differenceRecorder(
  { differences, ids }: RecordDifferencesPorts,
  run: {
    readonly scope: string
    /** Whether the slice covers all of its scope. */
    readonly isWhole: boolean
    readonly at: Date
  },
): DifferenceRecorder {
  const { scope, isWhole, at } = run
  const check = 'network'
  const counts = new Map<string, number>()
  let batch: FoundDifference[] = []
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await differences.record(batch, at)
    batch = []
  }
  const push = async (difference: NewDifference): Promise<void> => {
    batch.push({ ...difference, id: ids.next('dif', at), check, scope })
    if (batch.length >= batchSize) await flush()
  }
  return {
    add: async (difference) => {
      const count = (counts.get(difference.kind) ?? 0) + 1
      counts.set(difference.kind, count)
      if (count <= recordedMax) await push(difference)
    },
    complete: async () => {
      for (const [kind, count] of counts)
        if (count > recordedMax)
          await push({
            kind,
            tenantId: null,
            subject: `${scope} ${kind}`,
            expected: null,
            found: null,
            detail: `${count - recordedMax} more differences of this kind, not recorded one by one`,
          })
      await flush()
      if (isWhole) await differences.resolveUnseen({ check, scope }, at)
      return Array.from(counts.values()).reduce((sum, count) => sum + count, 0)
    },
  }
}
