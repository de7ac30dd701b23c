import type { WalletStore, WalletTransaction } from '../ledger/ports.ts'
import { type Usdt, usdt } from '../money.ts'
import type { PagePosition } from '../page.ts'
import type { Clock } from '../time.ts'
import type { StatementStore } from './ports.ts'
import {
  dayBefore,
  type Statement,
  type StatementDay,
  statementDayAt,
  statementStatus,
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
  /** Both inclusive. */
  readonly from?: StatementDay
  readonly to?: StatementDay
  /** The last day of the page before. */
  readonly after?: StatementDay
}

/** Which page of a day to read. */
export type StatementPageQuery = { readonly limit: number; readonly after?: PagePosition }

/** A whole day, read while it is consumed. */
export type StatementStream = StatementSummary & {
  /** Oldest first, in chunks. After the last one they add up to the closing balance of a closed day. */
  readonly chunks: AsyncIterable<readonly WalletTransaction[]>
}

/** A tenant's statements. */
export type ReadStatements = {
  /** From the day on which the tenant was created until today. `next`: the last day of a page that is not the last. */
  list(
    tenantId: string,
    query: StatementListQuery,
  ): Promise<{ readonly items: readonly StatementSummary[]; readonly next: StatementDay | null }>
  /** Undefined for a day before the tenant was created, and for a day that has not begun. */
  page(tenantId: string, day: StatementDay, query: StatementPageQuery): Promise<Statement | undefined>
  /** As `page`, the whole day. Keeps one chunk in memory. */
  stream(tenantId: string, day: StatementDay): Promise<StatementStream | undefined>
}

const chunkEntries = 1_000

/**
 * Daily statements of a wallet, in UTC: the opening balance, the transactions in order, and the closing balance,
 * which is the next day's opening balance.
 *
 * @throws Unavailable when the store cannot be read
 * @example
 * ```ts
 * const statements = readStatements(ports)
 * const { items } = await statements.list(tenant.id, { limit: 7 })
 * console.log(items[0]?.status, items[0] && toDecimal(items[0].closing)) // open 1000.000000
 * ```
 */
export function readStatements(ports: ReadStatementsPorts): ReadStatements {
  const { statements, now } = ports
  return {
    list: async (tenantId, { limit, ...bounds }) => {
      const range = await rangeOf(ports, tenantId)
      const days = range === undefined ? [] : daysIn(range, bounds, limit + 1)
      const items = await summaries(ports, tenantId, days.slice(0, limit))
      return { items, next: days.length > limit ? (days[limit - 1] ?? null) : null }
    },
    page: async (tenantId, day, query) => {
      if (!(await hasDay(ports, tenantId, day))) return undefined
      const { start: from, end: to } = day
      const { items, next } = await statements.transactions(tenantId, { from, to, ...query })
      return { ...(await summaryOf(ports, tenantId, day)), transactions: items, next }
    },
    stream: async (tenantId, day) => {
      if (!(await hasDay(ports, tenantId, day))) return undefined
      const summary = await summaryOf(ports, tenantId, day)
      return { ...summary, chunks: chunksOf(statements, tenantId, day) }
    },
  }

  async function hasDay(of: ReadStatementsPorts, tenantId: string, day: StatementDay) {
    const range = await rangeOf(of, tenantId)
    return range !== undefined && day.start >= range.first.start && day.start <= now()
  }
}

type Range = { readonly first: StatementDay; readonly last: StatementDay }

async function rangeOf({ wallets, now }: ReadStatementsPorts, tenantId: string): Promise<Range | undefined> {
  const wallet = await wallets.find(tenantId)
  return wallet && { first: statementDayAt(wallet.createdAt), last: statementDayAt(now()) }
}

function daysIn(
  { first, last }: Range,
  { from, to, after }: Omit<StatementListQuery, 'limit'>,
  count: number,
): readonly StatementDay[] {
  const least = from && from.start > first.start ? from : first
  const newest = to && to.start < last.start ? to : last
  let day = after && after.start <= newest.start ? dayBefore(after) : newest
  const days: StatementDay[] = []
  for (; day.start >= least.start && days.length < count; day = dayBefore(day)) days.push(day)
  return days
}

/** The balances of successive days are read once, as one day's end is another day's start. */
async function summaries(
  { statements, now }: ReadStatementsPorts,
  tenantId: string,
  days: readonly StatementDay[],
): Promise<readonly StatementSummary[]> {
  const [newest] = days
  if (newest === undefined) return []
  const instants = [newest.end, ...days.map(({ start }) => start)]
  const balances = await statements.balancesBefore(tenantId, instants)
  const at = now()
  return days.map((day, n) => summaryAt(day, at, balances.slice(n)))
}

async function summaryOf(
  { statements, now }: ReadStatementsPorts,
  tenantId: string,
  day: StatementDay,
): Promise<StatementSummary> {
  const balances = await statements.balancesBefore(tenantId, [day.end, day.start])
  return summaryAt(day, now(), balances)
}

/** @param balances  at the day's end and at its start */
const summaryAt = (
  day: StatementDay,
  now: Date,
  [closing = usdt(0n), opening = usdt(0n)]: readonly Usdt[],
): StatementSummary => ({ date: day.date, status: statementStatus(day, now), opening, closing })

async function* chunksOf(
  statements: StatementStore,
  tenantId: string,
  { start: from, end: to }: StatementDay,
): AsyncGenerator<readonly WalletTransaction[]> {
  const query = { from, to, limit: chunkEntries }
  let after: PagePosition | null | undefined
  while (after !== null) {
    const page = await statements.transactions(tenantId, { ...query, ...(after && { after }) })
    if (page.items.length > 0) yield page.items
    after = page.next
  }
}
