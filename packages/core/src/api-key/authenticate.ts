import type { Clock } from '../time.ts'
import { type ApiKeyKind, apiKeyHash, apiKeyKinds, apiKeyPrefix, type Caller, isKeyUsable } from './api-key.ts'
import type { ApiKeyStore } from './ports.ts'
import { checkSettings } from '../check-settings.ts'

/** An authenticated request. */
export type Access = {
  readonly caller: Caller
  /**
   * Authenticates the key again. `stored` always reads the store: for whatever changes something, unless its own
   * commit refuses the key. `cached` reads it when the last reading is `keyCacheSeconds` old.
   *
   * @returns undefined when the key has been revoked or has expired, or its tenant is suspended
   */
  readonly renew: (reading: 'stored' | 'cached') => Promise<Caller | undefined>
}

/**
 * Authenticates one API key.
 *
 * @returns undefined when the key is unknown, revoked or expired, or its tenant suspended
 * @throws Unavailable when the store cannot be read
 */
export type Authenticate = (key: string) => Promise<Access | undefined>

/**
 * Whether the caller is still permitted. A use case calls it after each call of an external system and
 * before it writes, since a key can be revoked in between.
 */
export type StillAllowed = () => Promise<boolean>

/** The default for callers whose permission cannot end during the call. */
export const alwaysAllowed: StillAllowed = () => Promise.resolve(true)

/** The ports of `authenticate`. */
export type AuthenticatePorts = {
  readonly apiKeys: Pick<ApiKeyStore, 'findCaller' | 'touch'>
  readonly now: Clock
  /** Takes work that goes on after the answer. Must not throw. */
  readonly inBackground: (work: Promise<unknown>) => void
}

/** A revoked key reads for at most this time. It changes nothing from its revocation on. */
export const keyCacheSeconds = 5
const cacheMs = keyCacheSeconds * 1000
const cacheSize = 10_000
const touchEveryMs = 60_000
const longestKey = 255

/**
 * Authenticates API keys.
 *
 * Caches found keys for `keyCacheSeconds` (see `renew`) and checks `expiresAt` at each use. Unknown keys are not cached, so
 * a new key works at once. Keys of another kind, such as another environment's, are not looked up.
 *
 * @source spec §5
 * @example
 * ```ts
 * const access = await authenticate(ports, 'test')(apiKey)
 * console.log(access?.caller.tenant.id === tenant.id, access?.caller.key.name) // true checkout
 * ```
 */
export function authenticate(ports: AuthenticatePorts, kind: ApiKeyKind): Authenticate {
  checkSettings('authenticate', { kind }, { kind: apiKeyKinds })
  const { apiKeys, now, inBackground } = ports

  const prefix = apiKeyPrefix(kind)
  const found = new Map<string, { caller: Caller; at: number; touchedAt: number }>()

  async function callerOf(hash: string, maxAgeMs: number): Promise<Caller | undefined> {
    const moment = now()
    const at = moment.getTime()
    let entry = found.get(hash)
    const age = entry ? at - entry.at : Infinity
    // A negative age means that the clock moved back: the entry's age is unknown.
    if (!entry || age >= maxAgeMs || age < 0) {
      const caller = await apiKeys.findCaller(hash)
      found.delete(hash)
      // The prefix decides who may issue a key, so a record counts only for keys with its own prefix.
      // A key that is not approved yet is not cached, so that it works at once when it is.
      if (caller?.key.prefix !== prefix || caller.key.activatedAt === null) return undefined
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
    const caller = await callerOf(hash, cacheMs)
    const renew: Access['renew'] = (reading) => callerOf(hash, reading === 'stored' ? 0 : cacheMs)
    return caller && { caller, renew }
  }
}
