/** Ends what a fault holds; a second call does nothing. */
export type Release = () => Promise<void>

/**
 * A state that several faults hold at once: it begins with the first of them, and ends with the last.
 *
 * @returns holds the state
 */
export function held(begin: () => unknown, end: () => unknown): () => Promise<Release> {
  let holders = 0
  let last: Promise<void> = Promise.resolve()
  const change = (by: 1 | -1): Promise<void> => {
    const changed = last.then(async () => {
      if (by === 1 && holders === 0) await begin()
      holders += by
      if (holders === 0) await end()
    })
    last = changed.catch(() => undefined)
    return changed
  }
  return async () => {
    await change(1)
    let released: Promise<void> | undefined
    return () => (released ??= change(-1))
  }
}
