import type { DifferenceQuery, DifferenceStore } from '../difference/ports.ts'
import type { FoundDifference } from '../difference/difference.ts'
import { type Ids, idSource } from '../ids.ts'

export const ids: Ids = idSource((size) => new Uint8Array(size))

type Held = FoundDifference & { lastSeenAt: Date }

/** Differences on record, by check, kind and subject; `resolveUnseen` removes them. */
export function recordedDifferences(): Pick<
  DifferenceStore,
  'record' | 'resolveUnseen' | 'list'
> & { readonly all: () => readonly FoundDifference[] } {
  const held = new Map<string, Held>()
  const isListed =
    ({ check }: DifferenceQuery) =>
    (each: Held) =>
      each.check === check
  return {
    record: async (found, at) => {
      for (const each of found)
        held.set(`${each.check} ${each.kind} ${each.subject}`, { ...each, lastSeenAt: at })
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
    list: async (query) => ({
      items: Array.from(held.values())
        .filter(isListed(query))
        .map((each) => ({
          ...each,
          ...{ foundAt: each.lastSeenAt, goneAt: null, closure: null, status: 'open', change: 0n },
        })),
      next: null,
    }),
    all: () => Array.from(held.values()),
  }
}
