import { expect, test } from 'vitest'
import { someWallet } from '../ledger/wallet.fixture.ts'
import { usdt } from '../money.ts'
import { readStatements, type StatementStream } from './read-statements.ts'
import { namedPeriod, type Timezone } from '../period/period.ts'
import { statementDayAt, type StatementMovement } from './statement.ts'

const time = (text: string): Date => new Date(`2026-11-${text}.000Z`)
const dayOf = (date: string) => statementDayAt(new Date(`${date}T00:00:00.000Z`), 'UTC')
const days = ['18', '19', '20', '21'].map((day) => dayOf(`2026-11-${day}`))

/** A deposit of USDT 1.00, the `n`th of the wallet. */
const deposit = (n: number, createdAt: Date): StatementMovement => ({
  payment: null,
  seq: BigInt(n),
  id: `wtx_${n}`,
  direction: 'in',
  type: 'deposit',
  createdAt,
  amount: usdt(1000000n),
  balanceAfter: usdt(BigInt(n) * 1000000n),
  payoutId: null,
  depositId: `dep_${n}`,
  transactionId: null,
})

/** A tenant that was created on the 18th, and had deposits on the 19th and 20th. */
const deposits = [deposit(1, time('19T10:00:00')), deposit(2, time('20T00:00:00')), deposit(3, time('20T23:59:59'))]

/** Statements at this instant, over a log of these transactions. */
function statementsAt(now: Date, log: readonly StatementMovement[] = deposits) {
  const reads: number[] = []
  const read = readStatements({
    now: () => now,
    wallets: { find: async (id) => (id === someWallet.tenantId ? someWallet : undefined) },
    statements: {
      balancesBefore: async (_, instants) => {
        reads.push(instants.length)
        return instants.map((at) => log.findLast(({ createdAt }) => createdAt < at)?.balanceAfter ?? usdt(0n))
      },
      // As a store whose log has entries that moved nothing: an empty page, then one transaction a page.
      transactions: async (_, { from, to, after }) => {
        const start = after === undefined ? from : after.createdAt
        if (after === undefined) return { items: [], next: { createdAt: from, id: '' } }
        const left = log.filter(({ id, createdAt }) => createdAt >= start && createdAt < to && id > after.id)
        const [item] = left
        const isLast = item === undefined || left.length === 1
        return { items: item ? [item] : [], next: isLast ? null : item }
      },
    },
  })
  return { ...read, reads }
}

const midday = time('21T12:00:00')
const summaryOf = (name: string, status: 'open' | 'final') => ({ period: dayOf(name), status, readAt: midday })
const list = (query: Partial<Parameters<ReturnType<typeof readStatements>['list']>[1]>) =>
  statementsAt(midday).list('ten_1', { limit: 10, timezone: 'UTC', ...query })
const dates = async (query: Parameters<typeof list>[0]) => {
  const { items, next } = await list(query)
  return [items.map(({ period }) => period.name.slice(-2)).join(' '), next?.name.slice(-2)]
}

test('lists the days from the creation until today; each opens with the closing balance before it', async () => {
  const { reads, ...statements } = statementsAt(midday)
  const { items, next } = await statements.list('ten_1', { limit: 10, timezone: 'UTC' })
  const balances = ([opening, closing]: readonly [bigint, bigint]) => ({
    opening: usdt(opening * 1_000_000n),
    closing: usdt(closing * 1_000_000n),
  })
  expect(items).toEqual([
    { ...summaryOf('2026-11-21', 'open'), ...balances([3n, 3n]) },
    { ...summaryOf('2026-11-20', 'final'), ...balances([1n, 3n]) },
    { ...summaryOf('2026-11-19', 'final'), ...balances([0n, 1n]) },
    { ...summaryOf('2026-11-18', 'final'), ...balances([0n, 0n]) },
  ])
  expect(next).toBeNull()
  expect(reads).toEqual([5])
})

test('pages of days follow each other, and the last one has no next', async () => {
  const [, second, third] = days
  expect(await dates({ limit: 2 })).toEqual(['21 20', '20'])
  expect(await dates({ limit: 4 })).toEqual(['21 20 19 18', undefined])
  expect(await dates({ limit: 2, ...(third && { after: third }) })).toEqual(['19 18', undefined])
  expect(await dates({ limit: 2, ...(second && { after: second }) })).toEqual(['18', undefined])
  expect(await dates({ after: dayOf('2026-11-21') })).toEqual(['20 19 18', undefined])
  expect(await dates({ after: dayOf('2026-11-18') })).toEqual(['', undefined])
})

test.each([
  ['19', '20', '20 19'],
  ['20', '20', '20'],
  ['01', '30', '21 20 19 18'],
  ['21', '21', '21'],
  ['18', '18', '18'],
  ['20', '19', ''],
  ['01', '17', ''],
  ['22', '30', ''],
])('from %s to %s, both inclusive: %s', async (from, to, expected) => {
  const bounds = { from: dayOf(`2026-11-${from}`), to: dayOf(`2026-11-${to}`) }
  expect(await dates(bounds)).toEqual([expected, undefined])
})

test('a page after a day that is newer than the period begins with the newest day', async () => {
  expect(await dates({ to: dayOf('2026-11-19'), after: dayOf('2026-11-21') })).toEqual(['19 18', undefined])
  expect(await dates({ after: dayOf('2026-11-30') })).toEqual(['21 20 19 18', undefined])
})

test('an unknown tenant has no statements', async () => {
  const { list, page, stream } = statementsAt(midday)
  expect(await list('ten_2', { limit: 10, timezone: 'UTC' })).toEqual({ items: [], next: null })
  expect(await page('ten_2', dayOf('2026-11-20'), { limit: 10 })).toBeUndefined()
  expect(await stream('ten_2', dayOf('2026-11-20'))).toBeUndefined()
})

test('a day has a page from the tenant’s first day until it begins, and not before', async () => {
  const midnight = time('21T00:00:00')
  for (const [at, date, exists] of [
    [midday, '2026-11-17', false],
    [midday, '2026-11-18', true],
    [midday, '2026-11-21', true],
    [midday, '2026-11-22', false],
    [midnight, '2026-11-21', true],
    [new Date(midnight.getTime() - 1), '2026-11-21', false],
  ] as const) {
    const { page, stream } = statementsAt(at)
    const [one, all] = [await page('ten_1', dayOf(date), { limit: 10 }), await stream('ten_1', dayOf(date))]
    expect([one?.period.name, all?.period.name]).toEqual(exists ? [date, date] : [undefined, undefined])
  }
})

test('a page has the day’s balances and its part of the transactions', async () => {
  const { page } = statementsAt(midday)
  const day = dayOf('2026-11-20')
  const [, second, third] = deposits
  const balances = { opening: usdt(1_000_000n), closing: usdt(3_000_000n) }
  const summary = { ...summaryOf('2026-11-20', 'final'), ...balances }
  const empty = await page('ten_1', day, { limit: 1 })
  expect(empty).toEqual({ ...summary, transactions: [], next: { createdAt: day.from, id: '' } })
  const next = await page('ten_1', day, { limit: 1, ...(empty?.next && { after: empty.next }) })
  expect(next).toMatchObject({ transactions: [second], next: { id: 'wtx_2' } })
  const last = await page('ten_1', day, { limit: 1, ...(next?.next && { after: next.next }) })
  expect(last).toMatchObject({ transactions: [third], next: null })
})

async function chunksOf(stream: StatementStream | undefined) {
  const chunks: (readonly StatementMovement[])[] = []
  if (stream) for await (const chunk of stream.chunks) chunks.push(chunk)
  return chunks
}

test('a stream reads a day to its end, without empty chunks', async () => {
  const { stream } = statementsAt(midday)
  const day = await stream('ten_1', dayOf('2026-11-20'))
  expect(day).toMatchObject({ status: 'final', closing: usdt(3_000_000n) })
  const [, second, third] = deposits
  expect(await chunksOf(day)).toEqual([[second], [third]])
  const quiet = await stream('ten_1', dayOf('2026-11-18'))
  expect(await chunksOf(quiet)).toEqual([])
})

test.each([
  ['2026-11', 'UTC', [deposits[0]?.id, deposits[1]?.id, deposits[2]?.id], 'open', 0n, 3n],
  ['2026-11-19', 'UTC', ['wtx_1'], 'final', 0n, 1n],
  // Midnight of the 20th in UTC is still the 19th in La Paz.
  ['2026-11-19', 'America/La_Paz', ['wtx_1', 'wtx_2'], 'final', 0n, 2n],
  ['2026-10', 'America/La_Paz', undefined, undefined, undefined, undefined],
] as const)('the statement of %s in %s', async (name, timezone: Timezone, ids, status, opening, closing) => {
  const period = namedPeriod(name, timezone)
  if (period === undefined) throw new Error('a month or a day')
  const found = await statementsAt(midday).stream('ten_1', period)
  expect(found?.status).toBe(status)
  expect([found?.opening.minor, found?.closing.minor]).toEqual([opening, closing].map((n) => n && n * 1_000_000n))
  if (found) expect((await chunksOf(found)).flat().map(({ id }) => id)).toEqual(ids)
})

test.each([
  ['19T09:59:59', 0n, 'final'],
  ['19T10:00:00', 1n, 'final'],
  ['20T23:59:59', 3n, 'final'],
  ['21T11:50:00', 3n, 'open'],
] as const)('the balance at %s has what is dated then or before', async (at, total, status) => {
  const balance = { at: time(at), status, total: usdt(total * 1_000_000n) }
  expect(await statementsAt(midday).balanceAt('ten_1', time(at))).toEqual(balance)
})

test('an instant after now or before the wallet has no balance', async () => {
  const { balanceAt } = statementsAt(midday)
  expect(await balanceAt('ten_1', new Date(midday.getTime() + 1))).toBe('future')
  expect(await balanceAt('ten_1', new Date(someWallet.createdAt.getTime() - 1))).toBe('before_wallet')
  expect(await balanceAt('ten_1', someWallet.createdAt)).toMatchObject({ total: usdt(0n) })
  expect(await balanceAt('ten_none', midday)).toBe('before_wallet')
})
