import type { Clock, Monotonic } from '@quipu/core'
import { defaultFaultLimits } from '@quipu/core/operator'

/** The database's time, and when its query was sent and answered, by `performance.now()`. */
export type DatabaseTime = { readonly now: Date; readonly sentAt: number; readonly answeredAt: number }

/** The process's clock, compared with the database's. */
export type DatabaseClock = {
  /** The process's time, or the database's while the two differ by `clockDifferenceMaxMs` or more; back below half of it. */
  readonly now: Clock
  compare(time: DatabaseTime): void
  /** Milliseconds that this process is ahead of the database; 0 before the first comparison. */
  aheadMs(): number
}

/** From this difference on a process uses the database's time. */
export const clockDifferenceMaxMs: number = defaultFaultLimits.clockApartMs

/** The answer of a slower query does not date its own time well enough. */
const roundTripMaxMs = 1_000

/**
 * Between two comparisons the database's time advances by the monotonic clock, so that a step of the
 * process's clock is noticed at once.
 *
 * @param system  the process's clock
 * @param monotonic  as `performance.now`
 */
export function databaseClock(system: Clock, monotonic: Monotonic): DatabaseClock {
  /** The database's time less the monotonic one. */
  let offsetMs: number | undefined
  let isApart = false

  const aheadAt = (systemMs: number): number => (offsetMs === undefined ? 0 : systemMs - (monotonic() + offsetMs))
  return {
    now() {
      const own = system()
      const aheadMs = aheadAt(own.getTime())
      isApart = Math.abs(aheadMs) >= (isApart ? clockDifferenceMaxMs / 2 : clockDifferenceMaxMs)
      return isApart ? new Date(own.getTime() - aheadMs) : own
    },
    compare({ now, sentAt, answeredAt }) {
      if (answeredAt - sentAt > roundTripMaxMs) return
      offsetMs = now.getTime() - (sentAt + answeredAt) / 2
    },
    aheadMs: () => aheadAt(system().getTime()),
  }
}
