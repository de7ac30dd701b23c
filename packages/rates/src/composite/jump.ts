import type { Rate } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import { isOff } from './bps.ts'

export type JumpRules = {
  /** How far a bid may be from the usual without a second reading. */
  readonly maxJumpBps: number
  /** Of which past the usual is the median. */
  readonly windowSeconds: number
}

type Accepted = { readonly bid: Rate; readonly at: Date }

/** What has been accepted, oldest first, and the jump that waits for a second reading. */
export type JumpState = {
  readonly accepted: readonly Accepted[]
  readonly suspect: RateReading | undefined
}

export const noHistory: JumpState = { accepted: [], suspect: undefined }

/**
 * Takes a reading in, or holds it back as a jump: too far from the median of what was accepted in
 * the window, or from the last accepted where the window is empty.
 *
 * A jump is confirmed by another reading as near to it as readings must be, of a later time of the
 * source's own: the same observation fetched twice confirms nothing. What was usual before it is
 * then forgotten. The first reading ever has nothing to be far from.
 *
 * @returns `suspect` is the reading itself when it was held back
 */
export function judgeJump(
  { accepted, suspect }: JumpState,
  reading: RateReading,
  now: Date,
  { maxJumpBps, windowSeconds }: JumpRules,
): JumpState {
  const entry = { bid: reading.bid, at: now }
  const since = now.getTime() - windowSeconds * 1000
  const recent = accepted.filter(({ at }) => at.getTime() >= since)
  const known = recent.length > 0 ? recent : accepted.slice(-1)
  if (known.length === 0 || !isOff(reading.bid, medianBid(known), maxJumpBps)) {
    return { accepted: [...known, entry], suspect: undefined }
  }
  const confirms =
    suspect !== undefined &&
    reading.observedAt > suspect.observedAt &&
    !isOff(reading.bid, suspect.bid, maxJumpBps)
  if (confirms) return { accepted: [entry], suspect: undefined }
  // The first sight of a jump stays the suspect while it is only fetched again.
  const again = suspect !== undefined && !isOff(reading.bid, suspect.bid, maxJumpBps)
  return { accepted: known, suspect: again ? suspect : reading }
}

/** The lower of the two in the middle when there are two. */
function medianBid(accepted: readonly Accepted[]): Rate {
  const bids = accepted.map(({ bid }) => bid).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return bids[(bids.length - 1) >> 1] ?? 0n
}
