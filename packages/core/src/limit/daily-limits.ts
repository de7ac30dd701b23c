import { addMoney, subtractMoney, type Usdt, usdt } from '../money.ts'

/**
 * The limits of a tenant's payouts in one day. A day begins and ends at midnight UTC, and a payout belongs to the day
 * on which it was accepted.
 */
export type DailyLimits = {
  /** The limit of the USDT that its payouts debit; null: no limit. */
  readonly amount: Usdt | null
  /** The limit of its payouts; null: no limit. */
  readonly count: number | null
}

/** No limits: the default. */
export const noDailyLimits: DailyLimits = { amount: null, count: null }

/** The payouts that were accepted in one day, without those that were released since. */
export type DailyUse = {
  /** The sum of their holds. */
  readonly amount: Usdt
  readonly count: number
}

/** A day without payouts. */
export const noDailyUse: DailyUse = { amount: usdt(0n), count: 0 }

/** The use of the day on which a wallet's newest payout was accepted. */
export type DatedUse = DailyUse & {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string
}

/** The day of an instant: `YYYY-MM-DD`, in UTC. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10)

/** The use of this instant's day. A clock that goes back over midnight stays in the later day. */
export const dailyUseAt = (newest: DatedUse, at: Date): DailyUse =>
  utcDay(at) > newest.day ? noDailyUse : { amount: newest.amount, count: newest.count }

/** Whether one more payout with this hold stays within the limits. */
export const isWithinDailyLimits = (limits: DailyLimits, used: DailyUse, hold: Usdt): boolean =>
  (limits.amount === null || used.amount.minor + hold.minor <= limits.amount.minor) &&
  (limits.count === null || used.count + 1 <= limits.count)

/** The use after a payout with this hold was accepted at this instant. */
export function useDailyLimits(newest: DatedUse, hold: Usdt, at: Date): DatedUse {
  const used = dailyUseAt(newest, at)
  const day = utcDay(at) > newest.day ? utcDay(at) : newest.day
  return { day, amount: addMoney(used.amount, hold), count: used.count + 1 }
}

/** The use after a payout was released that had been accepted at this instant: only its own day's use changes. */
export const giveBackUse = (newest: DatedUse, hold: Usdt, acceptedAt: Date): DatedUse =>
  newest.day === utcDay(acceptedAt)
    ? { ...newest, amount: subtractMoney(newest.amount, hold), count: newest.count - 1 }
    : newest
