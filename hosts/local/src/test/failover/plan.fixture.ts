/** Quiet: one order at a time. Busy: many at once, so that every pool and batch is full. */
export const loads = ['quiet', 'busy'] as const

export type Load = (typeof loads)[number]

/**
 * What happens between the first lost byte of the replication and the loss of the primary:
 * `stall`, nothing else; `resume`, replication catches up for a moment and stalls again; `crash`, the
 * primary recovers from a dead session; `restart`, the primary dies and is started again; `standby`,
 * the standby dies, returns, and replication stalls; `terminate` and `cancel`, an administrator ends
 * or cancels the sessions that wait for the standby; `cut`, the clients' connections are cut.
 */
export const faults = [
  'stall',
  'resume',
  'crash',
  'restart',
  'standby',
  'terminate',
  'cancel',
  'cut',
] as const

export type Fault = (typeof faults)[number]

/** One fail-over, drawn from a seed. Times are in milliseconds. */
export type Plan = {
  readonly seed: number
  readonly load: Load
  readonly fault: Fault
  /** From the first order to the stall. */
  readonly beforeStallMs: number
  /** From the stall to the loss of the primary; null: until each client has had an answer. */
  readonly stallMs: number | null
  /** From the stall to each occurrence of the fault, in order. */
  readonly faultAtMs: readonly number[]
  /** From the return of the replication to the next stall, where the fault has one. */
  readonly resumedMs: number
  /** Between the loss of the primary and the promotion. */
  readonly outageMs: number
  /** Whether clients reach the standby before it is promoted. */
  readonly earlyAddress: boolean
}

/** The longest answer that the database's adapter waits for. A stall is drawn around it. */
const adapterWaitsMs = 12_000

/**
 * Draws a plan: loads alternate with the seed, faults follow each other, and every second stall is
 * longer than the adapter waits.
 */
export function planOf(seed: number): Plan {
  const random = randomOf(seed)
  const between = (low: number, high: number): number => Math.round(low + random() * (high - low))
  const load = loads[seed % 2] ?? 'quiet'
  const fault = faults[Math.floor(seed / 2) % faults.length] ?? 'stall'
  const isLong = Math.floor(seed / (2 * faults.length)) % 2 === 0
  const stallMs = isLong ? between(adapterWaitsMs, 18_000) : between(50, 6_000)
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

/** Mulberry32: evenly distributed in [0, 1), the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
