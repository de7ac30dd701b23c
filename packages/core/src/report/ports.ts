import type { Bob, Usdt } from '../money.ts'
import type { PayoutErrorCode, PayoutStatus } from '../payout/payout.ts'
import type { Period } from '../period/period.ts'
import type { MovementLine } from '../treasury/movement.ts'
import type { PricedQuote, Revenue } from './revenue.ts'

/** How the rows of a report are cut. */
export const reportCuts = ['tenant', 'day', 'month'] as const
/** One of `reportCuts`. */
export type ReportCut = (typeof reportCuts)[number]

/** A row of sums: its key is a tenant's id, `2026-11-20` or `2026-11`, or null for the sum of all rows. */
type Keyed = {
  readonly key: string | null
  /** The tenant's legal name; null where the key is no tenant. */
  readonly name: string | null
}

/** How often payouts ended so. */
export type OutcomeCount = {
  readonly status: Exclude<PayoutStatus, 'processing'>
  readonly errorCode: PayoutErrorCode | null
  readonly count: number
}

/** Milliseconds from acceptance to end, nearest rank. */
export type AnswerTimes = { readonly median: number; readonly p95: number; readonly p99: number }

/** The payouts that ended in a period. Amounts are those of the completed ones. */
export type PayoutSums = Keyed &
  Revenue & {
    readonly completed: number
    readonly target: Bob
    readonly source: Usdt
    readonly outcomes: readonly OutcomeCount[]
    /** Times of accepted payouts; null when none was. */
    readonly answers: AnswerTimes | null
  }

/** The refunds that were booked in a period, with the part of the revenue that each undoes. */
export type RefundSums = Keyed & Revenue & { readonly refunds: number; readonly amount: Usdt }

/** A completed payout as its postings and its quote have it. */
export type RawPayout = PricedQuote & {
  readonly payoutId: string
  readonly tenantId: string
  readonly endedAt: Date
  /** Its capture. */
  readonly captured: Usdt
}

/** A refund as its posting and the quote of its payout have it. */
export type RawRefund = PricedQuote & { readonly tenantId: string; readonly at: Date; readonly amount: Usdt }

/** A kept reading of the amount that the network can still pay out. */
export type LiquidityRecord = { readonly available: Bob; readonly at: Date }

/** The sums that a trial balance is made of: everything before one instant. */
export type Books = {
  /** The wallets' stored balances, which know no other time than now. */
  readonly stored: { readonly available: Usdt; readonly held: Usdt }
  /** The postings of all wallets. */
  readonly deposited: Usdt
  readonly captured: Usdt
  /** Into wallets less out of them. */
  readonly adjusted: Usdt
  /** Transfers to top-up addresses in solid blocks, credited or not; what was sent back, and what sweeps moved. */
  readonly received: Usdt
  readonly returned: Usdt
  readonly swept: Usdt
  /** How far the addresses' balances are off, by the open differences of the chain check; now. */
  readonly chainDifference: Usdt
  /** Paid to merchants; and the payments that the network returned, by their refunds. */
  readonly paid: Bob
  readonly repaid: Bob
  /** Recorded movements, summed by account and side. */
  readonly moved: readonly MovementLine[]
}

/**
 * Reads the sums of reports, of all tenants or of one. Tenants that have moved to another cell are in its reports.
 *
 * Every method throws `Unavailable` when the database cannot be read.
 */
export type ReportStore = {
  /** By `endedAt`. Rows without a payout are left out; the row of all has the key null and comes last. */
  payouts(period: Period, cut: ReportCut, tenantId?: string): Promise<readonly PayoutSums[]>
  /** By the instant of their posting. Ordered as `payouts`. */
  refunds(period: Period, cut: ReportCut, tenantId?: string): Promise<readonly RefundSums[]>
  /** The completed payouts of a period in pages of bounded size, read by other ways than `payouts`. */
  rawPayouts(period: Pick<Period, 'from' | 'to'>): AsyncIterable<readonly RawPayout[]>
  /** The refunds of a period, likewise. */
  rawRefunds(period: Pick<Period, 'from' | 'to'>): Promise<readonly RawRefund[]>
  /** Everything before this instant, in one consistent reading; null: until now. */
  books(before: Date | null): Promise<Books>
  /** USDT of the operator's own, at no more cost than a row of each wallet and deposit; see `exposureOf`. */
  position(): Promise<Usdt>
  /** Keeps a reading: the newest of its hour. */
  recordLiquidity(reading: LiquidityRecord): Promise<void>
  /** The kept readings since this instant, oldest first, and the newest of all if it is older. */
  liquidity(since: Date): Promise<readonly LiquidityRecord[]>
}
