import { Client, type Dispatcher, Pool } from 'undici'
import { notingClient } from './kept-connection.ts'

/** Connections that are kept alive, to at most `maxOrigins` origins. */
export type OriginPools = {
  /** The connections to this origin. The least recently used origin is closed when there are too many. */
  at(origin: string): Pool
  /** Sends one request on a connection of its own. */
  apart(origin: string): Pick<Dispatcher, 'dispatch'>
  /** Resolves when every request has ended and every connection is closed. */
  stop(): Promise<void>
}

/** A pool gives its clients a connector. */
const factory = (origin: URL, options: object): Dispatcher =>
  notingClient(origin, options as Parameters<typeof notingClient>[1])

export function originPools(maxOrigins: number, settings: Pool.Options): OriginPools {
  /** Least recently used first. */
  const pools = new Map<string, Pool>()
  const closing = new Set<Promise<void>>()
  const close = (pool: Dispatcher): void => {
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
      const pool = existing ?? new Pool(origin, { ...settings, factory })
      pools.set(origin, pool)
      return pool
    },
    apart: (origin) => ({
      dispatch(request, handler) {
        const { connections: _, ...connection } = settings
        const client = new Client(origin, connection)
        const isReady = client.dispatch(request, handler)
        close(client) // After the answer.
        return isReady
      },
    }),
    async stop() {
      for (const pool of pools.values()) close(pool)
      pools.clear()
      await Promise.all(closing)
    },
  }
}
