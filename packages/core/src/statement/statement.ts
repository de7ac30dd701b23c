import type { WalletTransaction } from '../ledger/ports.ts'
import type { Usdt } from '../money.ts'
import type { PagePosition } from '../page.ts'

/** A day in UTC. */
export type StatementDay = {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly start: Date
  /** Exclusive: the start of the next day. */
  readonly end: Date
}

/**
 * A tenant's day: available and held together, before its first and after its last wallet transaction. A day's
 * closing balance is the next day's opening balance.
 */
export type StatementSummary = {
  readonly date: string
  /** `open` until no later commit can be dated on this day; then nothing in it changes any more. */
  readonly status: 'open' | 'closed'
  readonly opening: Usdt
  readonly closing: Usdt
}

/** A page of a tenant's day. */
export type Statement = StatementSummary & {
  /** Oldest first. May be fewer than the limit, also none, before the last page. */
  readonly transactions: readonly WalletTransaction[]
  /** Null on the last page. */
  readonly next: PagePosition | null
}

const dayMs = 24 * 3_600_000

/**
 * A payout is dated by the clock of the process that settles it, just before its commit. Commits time out long
 * before this.
 */
export const lateCommitMs: number = 10 * 60_000

/** The day of this name. @returns undefined when the text is no date of the calendar */
export function statementDay(date: string): StatementDay | undefined {
  const midnight = `${date}T00:00:00.000Z`
  const start = new Date(midnight)
  // Years of more than four digits have a sign in ISO 8601.
  const isDate = date.length === 10 && !Number.isNaN(start.getTime())
  return isDate && start.toISOString() === midnight ? dayFrom(start) : undefined
}

/** The day of this instant. */
export const statementDayAt = (at: Date): StatementDay => dayFrom(new Date(Math.floor(at.getTime() / dayMs) * dayMs))

/** The day before. */
export const dayBefore = ({ start }: StatementDay): StatementDay => dayFrom(new Date(start.getTime() - dayMs))

const dayFrom = (start: Date): StatementDay => ({ date: dateOf(start), start, end: new Date(start.getTime() + dayMs) })

const dateOf = (at: Date): string => at.toISOString().slice(0, 10)

/** Whether commits can still be dated on this day. */
export const statementStatus = ({ end }: StatementDay, now: Date): StatementSummary['status'] =>
  now.getTime() < end.getTime() + lateCommitMs ? 'open' : 'closed'
