import { type Limit, rateLimiter, sourceOf, tooMany } from '@quipu/api'
import type { Authenticate, Clock } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { mockKeyPrefix } from '@quipu/wire'
import type { RequestHandler } from 'express'
import { inWorld, worldIfAny } from '../key/current-key.ts'
import type { Worlds } from '../key/key-states.ts'

const isKey = (key: unknown): key is string =>
  typeof key === 'string' && key.startsWith(mockKeyPrefix)

/** A long key goes by its digest, so that what is remembered of 10,000 keys stays small. */
const nameOf = (key: string): string => (key.length > 255 ? sha256(key) : key)

/** The rest of the request runs in the world of the key that it shows, if that is one. */
export const enterWorld =
  (worlds: Worlds): RequestHandler =>
  async (req, _res, next) => {
    const key = req.headers['x-api-key']
    if (!isKey(key)) {
      next()
      return
    }
    const world = worlds.of(nameOf(key))
    await world.ready
    inWorld(world, next)
  }

/** Whoever has entered a world is its tenant. */
export const authenticateInWorld: Authenticate = async () => {
  const caller = worldIfAny()?.caller
  return caller && { caller, renew: () => Promise.resolve(caller) }
}

/**
 * Lets each source address ask so often, whatever its keys are.
 *
 * @param ipv6PrefixBits  IPv6 addresses count together by so many of their first bits
 * @source assumed
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

/** Pages of any origin may call: its keys open nothing, so there is nothing to steal. */
export const allowPages: RequestHandler = (req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', '*')
  res.setHeader('Access-Control-Expose-Headers', exposed)
  const isPreflight =
    req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
  if (!isPreflight) {
    next()
    return
  }
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE')
  res.setHeader(
    'Access-Control-Allow-Headers',
    'X-API-Key, Content-Type, Idempotency-Key, X-Request-Id',
  )
  res.setHeader('Access-Control-Max-Age', '86400')
  res.statusCode = 204
  res.end()
}
