import type { DifferenceQuery, DifferenceStore } from '../difference/ports.ts'
import type { FoundDifference } from '../difference/difference.ts'
import type { ReconciliationRun } from './run.ts'
import { type Ids, idSource } from '../ids.ts'

/** A requested run of the chain check that has compared nothing yet. */
export const reconciliationRun: ReconciliationRun = {
  id: 'rcn_1',
  check: 'chain',
  period: null,
  scheduledFor: null,
  requestedBy: 'ana',
  createdAt: new Date(0),
  position: 0,
  slices: 0,
  compared: 0,
  differences: 0,
  completedAt: null,
  failure: null,
  mac: null,
}

export const ids: Ids = idSource((size) => new Uint8Array(size))

type Held = FoundDifference & { lastSeenAt: Date }

/** Differences on record, by check, kind and subject; `resolveUnseen` removes them. */
export function recordedDifferences(): Pick<DifferenceStore, 'record' | 'resolveUnseen' | 'list'> & {
  readonly all: () => readonly FoundDifference[]
} {
  const held = new Map<string, Held>()
  const isListed =
    ({ check }: Pick<DifferenceQuery, 'check'>) =>
    (each: Held) =>
      each.check === check
  return {
    record: async (found, at) => {
      for (const each of found) held.set(`${each.check} ${each.kind} ${each.subject}`, { ...each, lastSeenAt: at })
    },
    resolveUnseen: async ({ check, scope }, at) => {
      let gone = 0
      for (const [key, each] of held)
        if (each.check === check && each.scope === scope && each.lastSeenAt < at) {
          held.delete(key)
          gone++
        }
      return gone
    },
    // A position counts the differences before it.
    list: async ({ limit, after, ...query }) => {
      const all = Array.from(held.values()).filter(isListed(query))
      const end = Number(after?.id ?? 0) + limit
      return {
        items: all
          .slice(end - limit, end)
          .map((each) => ({
            ...each,
            foundAt: each.lastSeenAt,
            goneAt: null,
            closure: null,
            status: 'open',
            change: 0n,
          })),
        next: end < all.length ? { createdAt: new Date(0), id: `${end}` } : null,
      }
    },
    all: () => Array.from(held.values()),
  }
}

type Recorded = ReturnType<typeof recordedDifferences>

/** The same differences, with each write as text. A list of more than a hundred pages has no end. */
export function notedDifferences(differences: Recorded): Recorded & { readonly writes: readonly string[] } {
  const writes: string[] = []
  let pages = 0
  return {
    ...differences,
    writes,
    record: async (found, at) => {
      writes.push(`record ${found.length}`)
      await differences.record(found, at)
    },
    resolveUnseen: (run, at) => {
      writes.push(`resolve ${run.scope}`)
      return differences.resolveUnseen(run, at)
    },
    list: (query) => {
      if (++pages > 100) throw new Error('the list has no end')
      return differences.list(query)
    },
  }
}
