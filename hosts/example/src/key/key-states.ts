import { apiKeyHash } from '@quipu/core/adapter'
import type { KeyState } from './key-state.ts'

/** The states of the keys that were used most recently. */
export type KeyStates = {
  /** The state of a key, created on first use. */
  of(key: string): KeyState
  /** Lets the key with this hash, which replaces another one, have this state as well. */
  rotate(state: KeyState, hash: string): void
  /** The state of a tenant, unless it was evicted. */
  ofTenant(tenantId: string): KeyState | undefined
  /** Marks a key as due, and adds to its number of records. */
  markDue(state: KeyState, records?: number): void
  /** Marks a key as due after `ms`, unless it is marked as due before. */
  dueAfter(state: KeyState, ms: number): void
  /** Takes the keys that are due now. Each is returned once per mark. */
  takeDue(): Iterable<KeyState>
  readonly size: () => number
}

export type KeyLimits = {
  readonly keys: number
  /** The total of all keys together. */
  readonly records: number
  /** A key that has more is reset on its next use. */
  readonly recordsPerKey: number
}

/** A key takes about 6 kB of heap and a record 1 kB; a payment writes five. */
export const defaultKeyLimits: KeyLimits = { keys: 10_000, records: 60_000, recordsPerKey: 10_000 }

/** Keeps states within the limits, and evicts the least recently used. */
export function keyStatesWithin(
  limits: KeyLimits,
  make: (key: string) => KeyState,
  nowMs: () => number = () => performance.now(),
): KeyStates {
  // In order of use: the last one is the most recently used.
  const byKey = new Map<string, KeyState>()
  /** The states of the keys that have replaced others, by hash. */
  const rotated = new Map<string, KeyState>()
  const byTenant = new Map<string, KeyState>()
  /** When each key is due. */
  const dueAt = new Map<KeyState, number>()
  let records = 0

  function evict(state: KeyState): void {
    byKey.delete(state.key)
    for (const hash of state.rotated) rotated.delete(hash)
    byTenant.delete(state.caller.tenant.id)
    dueAt.delete(state)
    records -= state.records
  }
  function evictOldest(): void {
    const oldest = byKey.values().next().value
    if (oldest) evict(oldest)
  }

  return {
    of(key) {
      const cached = byKey.get(key) ?? rotated.get(apiKeyHash(key))
      if (cached && cached.records <= limits.recordsPerKey) {
        byKey.delete(cached.key)
        byKey.set(cached.key, cached)
        return cached
      }
      if (cached) evict(cached)
      if (byKey.size >= limits.keys) evictOldest()
      const state = make(key)
      byKey.set(key, state)
      byTenant.set(state.caller.tenant.id, state)
      return state
    },
    ofTenant: (tenantId) => byTenant.get(tenantId),
    rotate(state, hash) {
      if (byKey.get(state.key) !== state) return // It was evicted during a request.
      state.rotated = [...state.rotated, hash]
      rotated.set(hash, state)
    },
    markDue(state, grownBy = 0) {
      if (byKey.get(state.key) !== state) return
      dueAt.set(state, 0)
      state.records += grownBy
      records += grownBy
      while (records > limits.records && byKey.size > 1) evictOldest()
    },
    dueAfter(state, ms) {
      const isCurrent = byKey.get(state.key) === state
      if (isCurrent && !dueAt.has(state)) dueAt.set(state, nowMs() + ms)
    },
    takeDue() {
      const now = nowMs()
      const due = Array.from(dueAt).flatMap(([state, at]) => (at <= now ? [state] : []))
      for (const state of due) dueAt.delete(state)
      return due
    },
    size: () => byKey.size,
  }
}
