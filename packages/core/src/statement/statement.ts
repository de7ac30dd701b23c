import type { WalletTransaction } from '../ledger/ports.ts'
import type { Bob, Usdt } from '../money.ts'
import type { Merchant } from '../network/qr-network.ts'
import type { PagePosition } from '../page.ts'
import { dayAt, namedPeriod, type Period, type PeriodStatus, type Timezone } from '../period/period.ts'
import type { Rate } from '../quote/rate.ts'

/** How a completed payout was priced, and whom it paid. */
export type StatementPayment = {
  readonly target: Bob
  readonly rate: Rate
  readonly fee: Usdt
  readonly merchant: Merchant | null
  /** As on the payer's receipt; null when the network gave none. */
  readonly networkPaymentId: string | null
}

/** A row of a statement. */
export type StatementMovement = WalletTransaction & {
  /** Null but for a payout. */
  readonly payment: StatementPayment | null
}

/**
 * A tenant's period: available and held together, before its first and after its last wallet transaction. A period's
 * closing balance is the next one's opening balance.
 */
export type StatementSummary = {
  readonly period: Period
  readonly status: PeriodStatus
  /** The closing balance of an open period is that of this instant. */
  readonly readAt: Date
  readonly opening: Usdt
  readonly closing: Usdt
}

/** A page of a tenant's period. */
export type Statement = StatementSummary & {
  /** Oldest first. May be fewer than the limit, also none, before the last page. */
  readonly transactions: readonly StatementMovement[]
  /** Null on the last page. */
  readonly next: PagePosition | null
}

/** The day of this instant in this zone. @throws Error outside of the years 0 to 9999 */
export function statementDayAt(at: Date, timezone: Timezone): Period {
  const name = dayAt(at, timezone)
  const day = namedPeriod(name, timezone)
  if (day === undefined) throw new Error(`${name} is no day`)
  return day
}

/** The day before. */
export const dayBefore = ({ from, timezone }: Period): Period => statementDayAt(new Date(from.getTime() - 1), timezone)
