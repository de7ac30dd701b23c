import { sourceOf, tooMany } from '@quipu/api'
import { type Limit, rateLimiter } from '@quipu/runtime'
import type { Authenticate, Caller, Clock } from '@quipu/core'
import { apiKeyHash, type ApiKeyStore, isKeyUsable, sha256 } from '@quipu/core/adapter'
import { mockKeyPrefix } from '@quipu/wire'
import type { RequestHandler } from 'express'
import { runAs, currentKeyIfAny } from '../key/current-key.ts'
import type { KeyStates } from '../key/key-states.ts'

const isKey = (key: unknown): key is string => typeof key === 'string' && key.startsWith(mockKeyPrefix)

/** Replaces a long key by its digest, to bound the memory of 10,000 keys. */
const nameOf = (key: string): string => (key.length > 255 ? sha256(key) : key)

/** Runs the rest of the request on behalf of its key, if that is valid. */
export const enterKey =
  (keyStates: KeyStates): RequestHandler =>
  (req, _res, next) => {
    const key = req.headers['x-api-key']
    if (!isKey(key)) {
      next()
      return
    }
    runAs(keyStates.of(nameOf(key)), next)
  }

/** Authenticates any key with the prefix, unless it was rotated or revoked. Every reading is of its own state. */
export const authenticateKey =
  (apiKeys: Pick<ApiKeyStore, 'findCaller' | 'touch'>, now: Clock): Authenticate =>
  async (key) => {
    const usable = async (): Promise<Caller | undefined> => {
      const caller = await apiKeys.findCaller(apiKeyHash(nameOf(key)))
      return caller && isKeyUsable(caller, now()) ? caller : undefined
    }
    const caller = currentKeyIfAny() && (await usable())
    if (caller) await apiKeys.touch(caller.key, now())
    return caller && { caller, renew: usable }
  }

/**
 * Limits the requests of a source address, whatever its keys.
 *
 * @param ipv6PrefixBits  IPv6 addresses with this prefix in common count as one
 */
export function sourceLimit(limit: Limit, ipv6PrefixBits: number, realNow: Clock): RequestHandler {
  if (limit === 'off') return (_req, _res, next) => next()
  const limiter = rateLimiter(limit, realNow)
  return (req, _res, next) => {
    const allowance = limiter.take(sourceOf(req, ipv6PrefixBits))
    if (!allowance.isAllowed) throw tooMany(allowance)
    next()
  }
}

const exposed = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, Allow'

/** Allows CORS for any origin: the keys protect nothing of value. */
export const allowPages: RequestHandler = (req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', '*')
  res.setHeader('Access-Control-Expose-Headers', exposed)
  const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
  if (!isPreflight) {
    next()
    return
  }
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE')
  res.setHeader('Access-Control-Allow-Headers', 'X-API-Key, Content-Type, Idempotency-Key, X-Request-Id')
  res.setHeader('Access-Control-Max-Age', '86400')
  res.statusCode = 204
  res.end()
}
