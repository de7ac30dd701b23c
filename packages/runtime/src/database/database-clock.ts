import type { Clock, Monotonic } from '@quipu/core'

/** The database's time, and when it was asked for and answered, by `performance.now()`. */
export type DatabaseTime = {
  readonly now: Date
  readonly sentAt: number
  readonly answeredAt: number
}

/** The clock of this process, held against the database's. */
export type DatabaseClock = {
  /** The process's time; the database's from `apartMs` on, until the two are within half of that. */
  readonly now: Clock
  compare(time: DatabaseTime): void
  /** Milliseconds that this process is ahead of the database; 0 before the first comparison. */
  aheadMs(): number
}

/** From this difference on a process goes by the database's time. @source assumed */
export const apartMs = 2_000

/** A slower answer says too little about the moment at which it was made. */
const roundTripMaxMs = 1_000

/**
 * Between two comparisons the database's time goes on by the monotonic clock, so that a step of the
 * process's clock shows at once.
 *
 * @param system  the process's clock
 * @param monotonic  as `performance.now`
 */
export function databaseClock(system: Clock, monotonic: Monotonic): DatabaseClock {
  /** The database's time less the monotonic one. */
  let offsetMs: number | undefined
  let isApart = false

  const aheadAt = (systemMs: number): number =>
    offsetMs === undefined ? 0 : systemMs - (monotonic() + offsetMs)
  return {
    now() {
      const own = system()
      const aheadMs = aheadAt(own.getTime())
      isApart = Math.abs(aheadMs) >= (isApart ? apartMs / 2 : apartMs)
      return isApart ? new Date(own.getTime() - aheadMs) : own
    },
    compare({ now, sentAt, answeredAt }) {
      if (answeredAt - sentAt > roundTripMaxMs) return
      offsetMs = now.getTime() - (sentAt + answeredAt) / 2
    },
    aheadMs: () => aheadAt(system().getTime()),
  }
}
