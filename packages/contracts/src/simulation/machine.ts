import { type Clock, type Monotonic, type Timer, Unavailable } from '@quipu/core'
import type { EventLoop } from './event-loop.ts'

/** A process that can crash at any await. Messages that it has sent may still arrive; it receives no answers. */
export type Machine = {
  readonly now: Clock
  readonly monotonic: Monotonic
  readonly timer: Timer
  /** Rejects when the machine crashes. */
  readonly died: Promise<never>
  isAlive(): boolean
  crash(): void
  /** Sets the clock forward, or back. The monotonic clock goes on. */
  moveClock(ms: number): void
  /** Stops the process; afterwards its timers and answers of that time arrive together. */
  pause(ms: number): void
  /** Runs `act` in the process: after a pause, and never once it has crashed. */
  deliver(act: () => void): void
  /** The function as a remote call: request and answer travel for `latencyMs`. */
  remote<Args extends readonly unknown[], Answer>(
    act: (...args: Args) => Promise<Answer>,
  ): (...args: Args) => Promise<Answer>
}

/** Works until `crash`, and never again. @param latencyMs drawn for each way of a remote call; @param skewMs the error of this machine's clock */
export function simulatedMachine(loop: EventLoop, latencyMs: () => number, skewMs: number): Machine {
  let alive = true
  let offsetMs = skewMs
  const death = Promise.withResolvers<never>()
  death.promise.catch(() => undefined)

  let pausedUntilMs = 0
  const deliver = (act: () => void): void => {
    const leftMs = pausedUntilMs - loop.now().getTime()
    if (!alive) return
    if (leftMs > 0) loop.after(leftMs, () => deliver(act))
    else act()
  }
  const remote: Machine['remote'] =
    (act) =>
    (...args) =>
      new Promise((resolve, reject) => {
        const reply = (answer: () => void): void => {
          loop.after(latencyMs(), () => deliver(answer))
        }
        loop.after(latencyMs(), () => {
          if (!alive && loop.chance(0.5)) return // It crashed before it sent the message.
          act(...args).then(
            (answer) => reply(() => resolve(answer)),
            (error: unknown) => reply(() => reject(asError(error))),
          )
        })
      })

  return {
    now: () => new Date(loop.now().getTime() + offsetMs),
    monotonic: () => loop.now().getTime(),
    timer: (ms) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = loop.after(ms, () => deliver(resolve))
      return { done: promise, cancel }
    },
    died: death.promise,
    isAlive: () => alive,
    moveClock: (ms) => {
      offsetMs += ms
    },
    pause: (ms) => {
      pausedUntilMs = Math.max(pausedUntilMs, loop.now().getTime() + ms)
    },
    deliver,
    crash: () => {
      alive = false
      death.reject(new Unavailable('store', 'connection reset'))
    },
    remote,
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error('unknown', { cause: error }))
