/** The process's clock. Quotes, leases and schedules are measured by the store's clock instead. */
export type Clock = () => Date

/** A wait that can be called off. `done` resolves after `ms` milliseconds, never when cancelled. */
export type Timer = (ms: number) => { readonly done: Promise<void>; cancel(): void }

/**
 * What the work comes to, or undefined when it takes longer than `ms`: then it goes on, and nobody waits
 * for it any more.
 *
 * @throws what the work throws in time
 */
export async function within<T>(
  timer: Timer,
  ms: number,
  work: Promise<T>,
): Promise<T | undefined> {
  const { done, cancel } = timer(ms)
  try {
    return await Promise.race([work, done.then(() => undefined)])
  } finally {
    cancel()
  }
}
