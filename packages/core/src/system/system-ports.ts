import { inspect } from 'node:util'
import type { Clock, Ids, Monotonic, RandomBytes, Timer } from '../index.ts'
import { background } from './background.ts'
import { systemClock, systemIds, systemMonotonic, systemRandom, systemTimer } from './system.ts'

/** The needs of use cases from a process, by the names of their ports. */
export type SystemPorts = {
  /** The clock of the machine. */
  readonly now: Clock
  readonly monotonic: Monotonic
  readonly timer: Timer
  readonly ids: Ids
  /** Cryptographic random bytes. */
  readonly random: RandomBytes
  /** Takes work that goes on after an answer. Its errors go to `onError`. */
  readonly inBackground: (work: Promise<unknown>) => void
  /** Waits for the background work: call it before the process exits. @returns false when some is left after `ms` */
  readonly settled: (ms: number) => Promise<boolean>
}

/**
 * The system's ports of this process. Call it once: each call has its own background work.
 *
 * @param onError  receives the error of failed background work; by default it is written to the standard error
 * @example
 * ```ts
 * const system = systemPorts()
 * const pay = createPayout({ ...ports, ...system }, defaultPayoutSettings)
 * // before the process exits:
 * console.log(await system.settled(10_000)) // true
 * ```
 */
export function systemPorts({ onError = report }: { readonly onError?: (error: unknown) => void } = {}): SystemPorts {
  const { run: inBackground, settled } = background(onError)
  return {
    now: systemClock,
    monotonic: systemMonotonic,
    timer: systemTimer,
    ids: systemIds,
    random: systemRandom,
    inBackground,
    settled,
  }
}

const report = (error: unknown): void => void process.stderr.write(`background work failed: ${inspect(error)}\n`)
