import type { WalletStore } from '../ledger/ports.ts'
import { type Usdt, usdt } from '../money.ts'
import type { PagePosition } from '../page.ts'
import { type Period, type PeriodStatus, periodStatus, type Timezone } from '../period/period.ts'
import type { Clock } from '../time.ts'
import type { StatementStore } from './ports.ts'
import {
  dayBefore,
  type Statement,
  statementDayAt,
  type StatementMovement,
  type StatementSummary,
} from './statement.ts'

/** The ports of `readStatements`. */
export type ReadStatementsPorts = {
  readonly statements: StatementStore
  readonly wallets: Pick<WalletStore, 'find'>
  readonly now: Clock
}

/** Days, newest first. */
export type StatementListQuery = {
  readonly limit: number
  readonly timezone: Timezone
  /** Both inclusive. */
  readonly from?: Period
  readonly to?: Period
  /** The last day of the page before. */
  readonly after?: Period
}

/** Which page of a period to read. */
export type StatementPageQuery = { readonly limit: number; readonly after?: PagePosition }

/** A whole period, read while it is consumed. */
export type StatementStream = StatementSummary & {
  /** Oldest first, in chunks. After the last one they add up to the closing balance of a final period. */
  readonly chunks: AsyncIterable<readonly StatementMovement[]>
}

/** Available and held together, after all that is dated at this instant or before. */
export type PastBalance = { readonly at: Date; readonly status: PeriodStatus; readonly total: Usdt }

/** A tenant's statements. */
export type ReadStatements = {
  /** From the day on which the tenant was created until today. `next`: the last day of a page that is not the last. */
  list(
    tenantId: string,
    query: StatementListQuery,
  ): Promise<{ readonly items: readonly StatementSummary[]; readonly next: Period | null }>
  /** Undefined for a period before the tenant was created, and for one that has not begun. */
  page(tenantId: string, period: Period, query: StatementPageQuery): Promise<Statement | undefined>
  /** As `page`, the whole period. Keeps one chunk in memory. */
  stream(tenantId: string, period: Period): Promise<StatementStream | undefined>
  /** `future`: the instant is after now. `before_wallet`: there was no wallet yet. */
  balanceAt(tenantId: string, at: Date): Promise<PastBalance | 'future' | 'before_wallet'>
}

const chunkEntries = 1_000

/**
 * Statements of a wallet by day or month: the opening balance, the transactions in order, and the closing balance,
 * which is the next period's opening balance.
 *
 * @throws Unavailable when the store cannot be read
 * @example
 * ```ts
 * const statements = readStatements(ports)
 * const { items } = await statements.list(tenant.id, { limit: 7, timezone: 'UTC' })
 * console.log(items[0]?.status, items[0] && toDecimal(items[0].closing)) // open 1000.000000
 * ```
 */
export function readStatements(ports: ReadStatementsPorts): ReadStatements {
  const { statements, wallets, now } = ports
  return {
    list: async (tenantId, { limit, ...query }) => {
      const wallet = await wallets.find(tenantId)
      const days = wallet === undefined ? [] : daysIn(wallet.createdAt, now(), query, limit + 1)
      const items = await summaries(ports, tenantId, days.slice(0, limit))
      return { items, next: days.length > limit ? (days[limit - 1] ?? null) : null }
    },
    page: async (tenantId, period, query) => {
      if (!(await exists(tenantId, period))) return undefined
      const { from, to } = period
      const { items, next } = await statements.transactions(tenantId, { from, to, ...query })
      return { ...(await summaryOf(tenantId, period)), transactions: items, next }
    },
    stream: async (tenantId, period) => {
      if (!(await exists(tenantId, period))) return undefined
      const summary = await summaryOf(tenantId, period)
      return { ...summary, chunks: chunksOf(statements, tenantId, period) }
    },
    balanceAt: async (tenantId, at) => {
      if (at > now()) return 'future'
      const wallet = await wallets.find(tenantId)
      if (wallet === undefined || at < wallet.createdAt) return 'before_wallet'
      const to = new Date(at.getTime() + 1)
      const [total = usdt(0n)] = await statements.balancesBefore(tenantId, [to])
      return { at, status: periodStatus({ to }, now()), total }
    },
  }

  async function exists(tenantId: string, { from, to }: Period): Promise<boolean> {
    const wallet = await wallets.find(tenantId)
    return wallet !== undefined && to > wallet.createdAt && from <= now()
  }

  async function summaryOf(tenantId: string, period: Period): Promise<StatementSummary> {
    const balances = await statements.balancesBefore(tenantId, [period.to, period.from])
    return summaryAt(period, now(), balances)
  }
}

function daysIn(
  created: Date,
  now: Date,
  { timezone, from, to, after }: Omit<StatementListQuery, 'limit'>,
  count: number,
): readonly Period[] {
  const [first, last] = [statementDayAt(created, timezone), statementDayAt(now, timezone)]
  const least = from && from.from > first.from ? from : first
  const newest = to && to.from < last.from ? to : last
  let day = after && after.from <= newest.from ? dayBefore(after) : newest
  const days: Period[] = []
  for (; day.from >= least.from && days.length < count; day = dayBefore(day)) days.push(day)
  return days
}

/** The balances of successive days are read once, as one day's end is another day's start. */
async function summaries(
  { statements, now }: ReadStatementsPorts,
  tenantId: string,
  days: readonly Period[],
): Promise<readonly StatementSummary[]> {
  const [newest] = days
  if (newest === undefined) return []
  const balances = await statements.balancesBefore(tenantId, [newest.to, ...days.map(({ from }) => from)])
  const at = now()
  return days.map((day, n) => summaryAt(day, at, balances.slice(n)))
}

/** @param balances  at the period's end and at its start */
const summaryAt = (
  period: Period,
  readAt: Date,
  [closing = usdt(0n), opening = usdt(0n)]: readonly Usdt[],
): StatementSummary => ({ period, status: periodStatus(period, readAt), readAt, opening, closing })

async function* chunksOf(
  statements: StatementStore,
  tenantId: string,
  { from, to }: Period,
): AsyncGenerator<readonly StatementMovement[]> {
  const query = { from, to, limit: chunkEntries }
  let after: PagePosition | null | undefined
  while (after !== null) {
    const page = await statements.transactions(tenantId, { ...query, ...(after && { after }) })
    if (page.items.length > 0) yield page.items
    after = page.next
  }
}
