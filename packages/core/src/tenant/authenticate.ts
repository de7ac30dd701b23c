import type { Clock } from '../time.ts'
import { type Caller, isUsable, keyHash } from './api-key.ts'
import type { ApiKeyStore } from './ports.ts'

/** @returns undefined when the key is unknown, revoked or expired, or its tenant suspended */
export type Authenticate = (key: string) => Promise<Caller | undefined>

export type AuthenticatePorts = {
  readonly apiKeys: Pick<ApiKeyStore, 'findCaller' | 'touch'>
  readonly now: Clock
  /** Takes work that goes on after the answer. */
  readonly inBackground: (work: Promise<unknown>) => void
}

/** A revoked key dies within this time. */
const cacheMs = 5_000
const cacheSize = 10_000
const touchEveryMs = 60_000
const longestKey = 255

/**
 * Tells who presents a key.
 *
 * Only keys that were found are remembered, for at most 5 s, and `expiresAt` is compared at each
 * use; a miss is looked up every time, so a new key works at once.
 *
 * @throws Unavailable when the store cannot be asked
 * @source spec §5
 */
export function authenticate({ apiKeys, now, inBackground }: AuthenticatePorts): Authenticate {
  const found = new Map<string, { caller: Caller; at: number; touchedAt: number }>()

  return async (key) => {
    if (key.length > longestKey) return undefined
    const hash = keyHash(key)
    const at = now().getTime()
    let entry = found.get(hash)
    const age = entry ? at - entry.at : Infinity
    // Below zero the clock was put back: how old the entry is cannot be told any more.
    if (!entry || age >= cacheMs || age < 0) {
      const caller = await apiKeys.findCaller(hash)
      found.delete(hash)
      if (!caller) return undefined
      const touchedAt = Math.max(entry?.touchedAt ?? 0, caller.key.lastUsedAt?.getTime() ?? 0)
      entry = { caller, at, touchedAt }
      if (found.size >= cacheSize) found.delete(found.keys().next().value ?? '')
      found.set(hash, entry)
    }
    if (!isUsable(entry.caller, now())) return undefined
    if (Math.abs(at - entry.touchedAt) >= touchEveryMs) {
      entry.touchedAt = at
      inBackground(apiKeys.touch(entry.caller.key.id, new Date(at)))
    }
    return entry.caller
  }
}
