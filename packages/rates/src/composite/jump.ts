import { type Rate, rate } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import { differsByMore } from './bps.ts'

export type JumpRules = {
  /** Maximum difference from the median without a second reading. */
  readonly maxJumpBps: number
  /** Period of the median. */
  readonly windowSeconds: number
}

type Accepted = { readonly bid: Rate; readonly at: Date }

/** Accepted bids, oldest first, and a jump that needs a second reading. */
export type JumpState = { readonly accepted: readonly Accepted[]; readonly unconfirmed: RateReading | undefined }

export const noHistory: JumpState = { accepted: [], unconfirmed: undefined }

/**
 * Accepts a reading, or rejects it as a jump: too far from the median of the window, or from the last
 * accepted bid if the window is empty. The first reading is always accepted.
 *
 * A second reading near the jump, with a later source time, confirms it and clears the history. The
 * same observation fetched twice does not.
 *
 * @returns with `unconfirmed` if the reading was rejected
 */
export function checkJump(
  { accepted, unconfirmed }: JumpState,
  reading: RateReading,
  now: Date,
  { maxJumpBps, windowSeconds }: JumpRules,
): JumpState {
  const entry = { bid: reading.bid, at: now }
  const since = now.getTime() - windowSeconds * 1000
  const recent = accepted.filter(({ at }) => at.getTime() >= since)
  const known = recent.length > 0 ? recent : accepted.slice(-1)
  if (known.length === 0 || !differsByMore(reading.bid, medianBid(known), maxJumpBps)) {
    return { accepted: [...known, entry], unconfirmed: undefined }
  }
  const confirms =
    unconfirmed !== undefined &&
    reading.observedAt > unconfirmed.observedAt &&
    !differsByMore(reading.bid, unconfirmed.bid, maxJumpBps)
  if (confirms) return { accepted: [entry], unconfirmed: undefined }
  // Keep the first reading of the jump, so that drifting readings are compared with it.
  const isSameJump = unconfirmed !== undefined && !differsByMore(reading.bid, unconfirmed.bid, maxJumpBps)
  return { accepted: known, unconfirmed: isSameJump ? unconfirmed : reading }
}

/** The lower median of an even number of bids. */
function medianBid(accepted: readonly Accepted[]): Rate {
  const bids = accepted.map(({ bid }) => bid).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return bids[(bids.length - 1) >> 1] ?? rate(0n)
}
