/** The steps within one lease of a payout, in milliseconds. */
export type LeaseTimes = {
  /** How often the request that pays renews its lease: one renewal may fail. */
  readonly renewEveryMs: number
  /** The deadline of a status call or cancel. The rest of the lease is for the write that follows it. */
  readonly statusTimeoutMs: number
}

/** The times of a payout's lease. @param leaseSeconds  the API's `REQUEST_LEASE_SECONDS`, the worker's `PAYOUT_LEASE_SECONDS` */
export const leaseTimes = (leaseSeconds: number): LeaseTimes => ({
  renewEveryMs: Math.floor((leaseSeconds * 1000) / 3),
  statusTimeoutMs: Math.floor((leaseSeconds * 1000 * 2) / 3),
})
