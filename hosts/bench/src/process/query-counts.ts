import pg from 'pg'

/** How often each named statement was sent. */
export type QueryCounts = Readonly<Record<string, number>>

/**
 * Counts the named statements that this process sends to PostgreSQL, of whatever connection.
 *
 * A statement that carries a batch is sent once for all its items, so that items per statement are
 * the size of the batches.
 *
 * @returns the counts since the call before
 */
export function countQueries(): () => QueryCounts {
  const counts = new Map<string, number>()
  const { prototype } = pg.Client
  const send: (...args: readonly unknown[]) => unknown = Reflect.get(prototype, 'query')
  const counting = function (this: pg.Client, ...args: readonly unknown[]): unknown {
    const [{ name }] = args as [{ readonly name?: string }]
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
    return Reflect.apply(send, this, args)
  }
  Reflect.set(prototype, 'query', counting)
  return () => {
    const taken = Object.fromEntries(counts)
    counts.clear()
    return taken
  }
}
