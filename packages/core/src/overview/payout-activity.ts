import type { EndedPayout } from '../payout/payout.ts'

/** How many of the newest ended payouts are counted at most, so that the cost has a bound. */
export const activityPayoutsMax = 10_000

/** A period of which the activity is wanted, up to now. */
export type ActivityQuery = { readonly from: Date; readonly stepSeconds: number }

/** The payouts that were created within one step and have ended. */
export type ActivityStep = {
  /** A multiple of the step since the epoch. */
  readonly at: Date
  readonly outcomes: Readonly<Record<EndedPayout['status'], number>>
  /** From creation to end in milliseconds: half of them, and 95 of 100, took at most so long. */
  readonly medianMs: number
  readonly p95Ms: number
}

/** The outcome of the payouts of all tenants. */
export type PayoutActivity = {
  /** Oldest first; a step without payouts is left out. */
  readonly steps: readonly ActivityStep[]
  /**
   * From when on every payout that has ended is counted: the start of the period, or the creation of the oldest of
   * `activityPayoutsMax`.
   */
  readonly completeFrom: Date
}
