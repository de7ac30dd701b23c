import type { World } from './key-state.ts'

/** The worlds of all keys that were seen lately. */
export type Worlds = {
  /** The key's world, made when the key is first seen. */
  of(key: string): World
  /** Notes that the world may have something to do, and how many records it has grown by. */
  stir(world: World, records?: number): void
  /** Notes that it will have something to do in so many ms, unless it is stirred before. */
  rest(world: World, ms: number): void
  /** Those that may have something to do now; each is told of once, until it is noted again. */
  takeDue(): Iterable<World>
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
export function worldsWithin(
  limits: WorldLimits,
  make: (key: string) => World,
  nowMs: () => number = () => performance.now(),
): Worlds {
  // The one that was asked for last is the last one.
  const byKey = new Map<string, World>()
  /** When each has something to do; those that are missing have nothing. */
  const dueAt = new Map<World, number>()
  let records = 0

  function forget(world: World): void {
    byKey.delete(world.key)
    dueAt.delete(world)
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
      dueAt.set(world, 0)
      world.records += grownBy
      records += grownBy
      while (records > limits.records && byKey.size > 1) forgetOldest()
    },
    rest(world, ms) {
      const isKept = byKey.get(world.key) === world
      if (isKept && !dueAt.has(world)) dueAt.set(world, nowMs() + ms)
    },
    takeDue() {
      const now = nowMs()
      const due = Array.from(dueAt).flatMap(([world, at]) => (at <= now ? [world] : []))
      for (const world of due) dueAt.delete(world)
      return due
    },
    size: () => byKey.size,
  }
}
