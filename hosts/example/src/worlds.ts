import type { World } from './world.ts'

/** The worlds of all keys that were seen lately. */
export type Worlds = {
  /** The key's world, made when the key is first seen. */
  of(key: string): World
  /** Notes that the world may have something to do, and how many records it has grown by. */
  stir(world: World, records?: number): void
  /** Those that may have something to do; each is told of once until it is stirred again. */
  takeStirred(): Iterable<World>
  readonly size: () => number
}

export type WorldLimits = {
  readonly keys: number
  /** Of all worlds together. */
  readonly records: number
  /** A world that has more begins anew. */
  readonly recordsPerKey: number
}

/** About 6 KB a key and 1 KB a record, of which a payment makes five. @source assumed, but for the keys */
export const defaultWorldLimits: WorldLimits = {
  keys: 10_000,
  records: 60_000,
  recordsPerKey: 10_000,
}

/** Keeps so many worlds: the one that was idle for longest goes first. */
export function worldsWithin(limits: WorldLimits, make: (key: string) => World): Worlds {
  // The one that was asked for last is the last one.
  const byKey = new Map<string, World>()
  const stirred = new Set<World>()
  let records = 0

  function forget(world: World): void {
    byKey.delete(world.key)
    stirred.delete(world)
    records -= world.records
  }
  function forgetOldest(): void {
    const oldest = byKey.values().next().value
    if (oldest) forget(oldest)
  }

  return {
    of(key) {
      const known = byKey.get(key)
      if (known && known.records <= limits.recordsPerKey) {
        byKey.delete(key)
        byKey.set(key, known)
        return known
      }
      if (known) forget(known)
      if (byKey.size >= limits.keys) forgetOldest()
      const world = make(key)
      byKey.set(key, world)
      return world
    },
    stir(world, grownBy = 0) {
      if (byKey.get(world.key) !== world) return // It was forgotten with a request under way.
      stirred.add(world)
      world.records += grownBy
      records += grownBy
      while (records > limits.records && byKey.size > 1) forgetOldest()
    },
    takeStirred() {
      const taken = Array.from(stirred)
      stirred.clear()
      return taken
    },
    size: () => byKey.size,
  }
}
