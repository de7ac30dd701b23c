import { Pool } from 'undici'

/** Connections that are kept alive, to at most `maxOrigins` origins. */
export type OriginPools = {
  /** The connections to this origin. The least recently used origin is closed when there are too many. */
  at(origin: string): Pool
  /** Resolves when every request has ended and every connection is closed. */
  stop(): Promise<void>
}

export function originPools(maxOrigins: number, settings: Pool.Options): OriginPools {
  /** Least recently used first. */
  const pools = new Map<string, Pool>()
  const closing = new Set<Promise<void>>()
  const close = (pool: Pool): void => {
    // The pool finishes its requests first.
    const closed = pool.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }
  const evict = (): void => {
    const [oldest] = pools
    if (pools.size < maxOrigins || !oldest) return
    pools.delete(oldest[0])
    close(oldest[1])
  }
  return {
    at(origin) {
      const existing = pools.get(origin)
      if (existing) pools.delete(origin)
      else evict()
      const pool = existing ?? new Pool(origin, settings)
      pools.set(origin, pool)
      return pool
    },
    async stop() {
      for (const pool of pools.values()) close(pool)
      pools.clear()
      await Promise.all(closing)
    },
  }
}
