import { type Clock, type Timer, Unavailable } from '@quipu/core'
import type { RateLimitStore, RateUse } from '@quipu/core/operator'
import { keysMax, type Limit, type PollingLoop, pollingLoop, type RateLimiter, rateLimiter } from '@quipu/runtime'

export type SharingPorts = {
  readonly store: RateLimitStore
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

/** The rate limits of a process, which it can share with the other processes. */
export type SharedLimits = {
  /** @param name  of the limit, such as `writes`; one limiter for each */
  limiter(name: string, limit: Limit): RateLimiter | undefined
  /**
   * Exchanges with the other processes, until it is stopped, what each has allowed. No request waits for it: a
   * process knows what the others allow a moment later, and without the store it limits alone.
   */
  share(ports: SharingPorts): PollingLoop
}

/** Measured, like the other numbers, in docs/decisions/rate-limits.md. */
const exchangeEveryMs = 100
const forgetEveryMs = 60_000

/** Once a key has used an eighth of its allowance since the last exchange, the next one is due. */
const partsOfAllowance = 8

/** Keys of one exchange: an attack from many addresses must not make it slow. */
const keysOfExchange = 256

/** Older counts have expired: the rate has refilled them. */
const forgottenAfterMs = 1_000

/** The requests of a key that were allowed since the last exchange. */
type Unshared = { readonly name: string; readonly key: string; readonly since: number; count: number }

export function sharedLimits(now: Clock): SharedLimits {
  const limiters = new Map<string, RateLimiter>()
  const uses = unsharedUses(now)
  /** Undefined while nothing is shared. */
  let exchangeSoon: (() => void) | undefined

  function count(name: string, perSecond: number, key: string): void {
    if (exchangeSoon && uses.count(name, key) * partsOfAllowance >= perSecond) exchangeSoon()
  }

  async function exchange(store: RateLimitStore): Promise<void> {
    const at = now().getTime()
    const sent = uses.take().flatMap(([id, { name, key, since, count }]) => {
      const limiter = limiters.get(name)
      if (!limiter) return []
      const use: RateUse = { key: id, count, ageMs: at - since, perSecond: limiter.perSecond }
      return [{ id, key, limiter, use, instant: limiter.instant() }]
    })
    if (sent.length === 0) return
    const answers = await store.record(sent.map(({ use }) => use))
    for (const [index, { id, key, limiter, instant }] of sent.entries()) {
      // Use the send time, so a slow reply does not count tokens that have refilled since.
      limiter.raise(key, (answers[index] ?? 0) + uses.countOf(id), instant)
    }
  }

  return {
    limiter(name, limit) {
      if (limit === 'off') return undefined
      const limiter = rateLimiter(limit, now, (key) => count(name, limit, key))
      limiters.set(name, limiter)
      return limiter
    },
    share(ports) {
      const loop = exchanges({ ...ports, exchange: () => exchange(ports.store) })
      exchangeSoon = loop.soon
      return {
        activity: loop.activity,
        stop: () => {
          exchangeSoon = undefined
          return loop.stop()
        },
      }
    },
  }
}

/** Counts what was allowed since the last exchange, by limit and key. */
function unsharedUses(now: Clock) {
  let unshared = new Map<string, Unshared>()
  return {
    /** @returns the count so far */
    count(name: string, key: string): number {
      const id = `${name}:${key}`
      const found = unshared.get(id)
      if (found) return ++found.count
      if (unshared.size < keysMax) unshared.set(id, { name, key, since: now().getTime(), count: 1 })
      return 1
    },
    countOf: (id: string): number => unshared.get(id)?.count ?? 0,
    /** Removes the counts of one exchange, and those that have been made up for. */
    take(): readonly (readonly [string, Unshared])[] {
      const at = now().getTime()
      const recent = [...unshared].filter(([, { since }]) => at - since < forgottenAfterMs)
      unshared = new Map(recent.slice(keysOfExchange))
      return recent.slice(0, keysOfExchange)
    },
  }
}

type Exchanges = PollingLoop & {
  /** Begins the next exchange now, or when the running one has ended. */
  readonly soon: () => void
}

/** Exchanges one at a time, and deletes old keys. */
function exchanges({
  exchange,
  store,
  timer,
  report,
}: SharingPorts & { readonly exchange: () => Promise<void> }): Exchanges {
  // The database watch reports an outage.
  const reported = (error: unknown): void => {
    if (!(error instanceof Unavailable)) report(error)
  }
  let running: Promise<void> | undefined
  let [isDue, isStopping] = [false, false]
  const all = async (): Promise<void> => {
    do {
      isDue = false
      await exchange().catch(reported)
    } while (isDue && !isStopping)
    running = undefined
  }
  const once = (): Promise<void> => (running ??= all())
  const forget = () => store.forget().then(() => undefined, reported)
  const exchanging = pollingLoop(() => once().then(() => exchangeEveryMs), timer)
  const forgetting = pollingLoop(() => forget().then(() => forgetEveryMs), timer)
  return {
    activity: exchanging.activity,
    soon: () => {
      isDue = true
      void once()
    },
    stop: async () => {
      isStopping = true
      await Promise.all([exchanging.stop(), forgetting.stop(), running])
    },
  }
}
