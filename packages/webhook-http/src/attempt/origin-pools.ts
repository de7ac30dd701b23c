import { Pool } from 'undici'

/** Connections that stay open between requests, of so many origins at most. */
export type OriginPools = {
  /** The connections to this origin. When there are too many origins, the one longest unused gives way. */
  at(origin: string): Pool
  /** Ends when every request has ended and every connection is closed. */
  stop(): Promise<void>
}

export function originPools(maxOrigins: number, settings: Pool.Options): OriginPools {
  /** The longest unused first. */
  const pools = new Map<string, Pool>()
  const closing = new Set<Promise<void>>()
  const close = (pool: Pool): void => {
    // Requests that it has still end as usual.
    const closed = pool.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }
  const makeRoom = (): void => {
    const [oldest] = pools
    if (pools.size < maxOrigins || !oldest) return
    pools.delete(oldest[0])
    close(oldest[1])
  }
  return {
    at(origin) {
      const known = pools.get(origin)
      if (known) pools.delete(origin)
      else makeRoom()
      const pool = known ?? new Pool(origin, settings)
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
