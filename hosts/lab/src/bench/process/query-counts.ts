import pg from 'pg'

/** Executions of each prepared statement, by its name. */
export type QueryCounts = Readonly<Record<string, number>>

/**
 * Counts the prepared statements that this process executes, on all connections.
 *
 * A statement for a batch is executed once for all its items, so the items per execution are the batch
 * size.
 *
 * @returns a function that returns the counts since its last call
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
