/**
 * Where a receiver remembers events, so that one that arrives twice is handled once.
 *
 * Keep an event for 14 days: the service sends one of the last 7 days again when an endpoint is
 * reactivated. With a database, `claim` is an insert that does nothing on a conflict.
 */
export type ReplayStore = {
  /**
   * Claims an event, atomically.
   *
   * - `claimed`: the caller handles it. A claim that is neither completed nor released, since its
   *   process has ended, ends by itself after a minute or so.
   * - `busy`: another call handles it: the service is to send it again later.
   * - `handled`: it has been handled.
   */
  claim(eventId: string): Promise<'claimed' | 'busy' | 'handled'>
  /** Records that a claimed event was handled. */
  complete(eventId: string): Promise<void>
  /** Gives up a claim, since handling the event failed. */
  release(eventId: string): Promise<void>
}

/**
 * A store for one process, which forgets everything when that ends.
 *
 * @param options  `max`: how many handled events it remembers; the oldest are dropped first
 */
export function memoryReplayStore({ max = 10_000 }: { readonly max?: number } = {}): ReplayStore {
  const busy = new Set<string>()
  const handled = new Set<string>()
  return {
    claim: async (eventId) => {
      if (handled.has(eventId)) return 'handled'
      if (busy.has(eventId)) return 'busy'
      busy.add(eventId)
      return 'claimed'
    },
    complete: async (eventId) => {
      busy.delete(eventId)
      handled.add(eventId)
      const [oldest] = handled
      if (handled.size > max && oldest !== undefined) handled.delete(oldest)
    },
    release: async (eventId) => void busy.delete(eventId),
  }
}
