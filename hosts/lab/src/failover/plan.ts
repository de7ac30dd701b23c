import { mulberry32 } from '@quipu/contracts/simulation'

/** `quiet` sends one order at a time; `busy` fills every pool and batch. */
export const loads = ['quiet', 'busy'] as const

export type Load = (typeof loads)[number]

/**
 * The fault between the stall of the replication and the loss of the primary:
 *
 * - `stall`: none
 * - `resume`: replication catches up, then stalls again
 * - `crash`: a backend crashes, and the primary recovers
 * - `restart`: the primary is killed and restarted
 * - `standby`: the standby is killed and restarted, then replication stalls
 * - `terminate`, `cancel`: an administrator terminates or cancels the sessions that wait for the standby
 * - `cut`: the clients' connections are cut
 */
export const faults = ['stall', 'resume', 'crash', 'restart', 'standby', 'terminate', 'cancel', 'cut'] as const

export type Fault = (typeof faults)[number]

/** One fail-over, generated from a seed. Times are in milliseconds. */
export type Plan = {
  readonly seed: number
  readonly load: Load
  readonly fault: Fault
  /** Time from the first order to the stall. */
  readonly beforeStallMs: number
  /** Time from the stall to the loss of the primary; null waits until each client has an answer. */
  readonly stallMs: number | null
  /** Time from the stall to each occurrence of the fault, ascending. */
  readonly faultAtMs: readonly number[]
  /** Time from resumed replication to the second stall, for faults that have one. */
  readonly resumedMs: number
  /** Time from the loss of the primary to the promotion. */
  readonly outageMs: number
  /** Whether clients connect to the standby before its promotion. */
  readonly earlyAddress: boolean
}

/** Longest timeout of the PostgreSQL adapter. Stalls are shorter or longer. */
const adapterTimeoutMs = 12_000

/**
 * Generates a plan. Loads and faults cycle with the seed; half of the stalls are longer than the
 * adapter's timeout.
 */
export function planOf(seed: number): Plan {
  const random = mulberry32(seed)
  const between = (low: number, high: number): number => Math.round(low + random() * (high - low))
  const load = loads[seed % 2] ?? 'quiet'
  const fault = faults[Math.floor(seed / 2) % faults.length] ?? 'stall'
  const isLong = Math.floor(seed / (2 * faults.length)) % 2 === 0
  const stallMs = isLong ? between(adapterTimeoutMs, 18_000) : between(50, 6_000)
  const occurrences = Array.from({ length: between(1, 3) }, () => between(0, stallMs))
  return {
    seed,
    load,
    fault,
    beforeStallMs: between(0, 400),
    stallMs,
    faultAtMs: occurrences.toSorted((a, b) => a - b),
    resumedMs: between(0, 1_000),
    outageMs: between(0, 1_500),
    earlyAddress: random() < 0.3,
  }
}
