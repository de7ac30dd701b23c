/** The requests of one key that a process has allowed since its last record. */
export type RateUse = {
  /** A limit and whom it limits, such as `writes:ten_…` or `keys:192.0.2.1`. */
  readonly key: string
  /** Requests allowed, 1 or more. */
  readonly count: number
  /** How long ago the first of them was, in milliseconds. */
  readonly ageMs: number
  /** The limit: requests a second, and the size of a burst. */
  readonly perSecond: number
}

/**
 * Sums up the requests that processes have allowed, so that a rate limit holds for all of them together.
 * Nothing that it stores needs to survive a crash: an allowance is whole again after a second.
 *
 * Every method throws `Unavailable` when the database cannot be written.
 */
export type RateLimitStore = {
  /**
   * Adds requests to those of all processes.
   *
   * @param uses  at most one for each key
   * @returns for each use in order, how many requests of all processes still count: from 0 to twice
   *   `perSecond`, falling by `perSecond` a second; from `perSecond` on the allowance is used up
   */
  record(uses: readonly RateUse[]): Promise<readonly number[]>
  /** Deletes keys whose allowance has been whole for a minute. @returns how many */
  forget(): Promise<number>
}
