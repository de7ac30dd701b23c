import type { Timer } from '@quipu/core'

/** The time between a stop signal and the close of the ports, in which probes and requests are still answered. */
export type Drain = {
  /** False from `begin` on. Then `/readyz` answers 503, and load balancers take the process out. */
  readonly isServing: () => boolean
  /** Ends the readiness. Resolves after the pause; a further call does not begin it again. */
  begin(): Promise<void>
}

/** The steps of a port during a drain: `listen` of the API and any other HTTP listener. */
export type Drainable = { drain(): void }

/**
 * @param seconds  longer than a load balancer needs to see the failed probes; with 0 the ports close at once
 * @example
 * const draining = drain({ seconds: DRAIN_SECONDS, timer }, () => listeners)
 * await draining.begin()   // GET /readyz is 503, other requests are served
 * await Promise.all(listeners.map((listener) => listener.stop(10_000)))
 */
export function drain(
  { seconds, timer }: { readonly seconds: number; readonly timer: Timer },
  listeners: () => readonly Drainable[],
): Drain {
  let over: Promise<void> | undefined
  return {
    isServing: () => over === undefined,
    begin() {
      if (over) return over
      over = seconds === 0 ? Promise.resolve() : timer(seconds * 1_000).done
      for (const listener of listeners()) listener.drain()
      return over
    },
  }
}
