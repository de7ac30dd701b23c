import type { Clock } from '../time.ts'
import { type Caller, isKeyUsable, type ApiKeyKind, apiKeyHash, apiKeyPrefix } from './api-key.ts'
import type { ApiKeyStore } from './ports.ts'

/** A good key, while a request that presents it is handled. */
export type Access = {
  readonly caller: Caller
  /**
   * Authenticates the key anew: reads the store when the last reading is 5 s old or older.
   *
   * @returns undefined when the key has been revoked or has expired, or its tenant is suspended
   */
  readonly renew: () => Promise<Caller | undefined>
}

/** @returns undefined when the key is unknown, revoked or expired, or its tenant suspended */
export type Authenticate = (key: string) => Promise<Access | undefined>

/**
 * Whether the caller of a use case may still do what it asked for. A use case asks after each wait
 * for something outside and before it writes, since a key can be revoked in between.
 */
export type StillAllowed = () => Promise<boolean>

/** For callers whose permission cannot end while the use case runs. */
export const alwaysAllowed: StillAllowed = () => Promise.resolve(true)

export type AuthenticatePorts = {
  readonly apiKeys: Pick<ApiKeyStore, 'findCaller' | 'touch'>
  readonly now: Clock
  /** Takes work that goes on after the answer. */
  readonly inBackground: (work: Promise<unknown>) => void
}

/** A revoked key stops working within this time. @source assumed */
export const keyCacheSeconds = 5
const cacheMs = keyCacheSeconds * 1000
const cacheSize = 10_000
const touchEveryMs = 60_000
const longestKey = 255

/**
 * Tells who presents a key.
 *
 * Only keys that were found are remembered, for at most 5 s, and `expiresAt` is compared at each
 * use; a miss is looked up every time, so a new key works at once. A key of another kind, as that of
 * the other environment, is not looked up at all.
 *
 * @throws Unavailable when the store cannot be asked
 * @source spec §5
 */
export function authenticate(
  { apiKeys, now, inBackground }: AuthenticatePorts,
  kind: ApiKeyKind,
): Authenticate {
  const prefix = apiKeyPrefix(kind)
  const found = new Map<string, { caller: Caller; at: number; touchedAt: number }>()

  async function callerOf(hash: string): Promise<Caller | undefined> {
    const moment = now()
    const at = moment.getTime()
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
    if (!isKeyUsable(entry.caller, moment)) return undefined
    if (Math.abs(at - entry.touchedAt) >= touchEveryMs) {
      entry.touchedAt = at
      inBackground(apiKeys.touch(entry.caller.key, new Date(at)))
    }
    return entry.caller
  }

  return async (key) => {
    if (key.length > longestKey || !key.startsWith(prefix)) return undefined
    const hash = apiKeyHash(key)
    const caller = await callerOf(hash)
    return caller && { caller, renew: () => callerOf(hash) }
  }
}
