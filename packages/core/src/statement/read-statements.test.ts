import { expect, test } from 'vitest'
import type { WalletTransaction } from '../ledger/ports.ts'
import { someWallet } from '../ledger/wallet.fixture.ts'
import { usdt } from '../money.ts'
import { readStatements, type StatementStream } from './read-statements.ts'
import { statementDayAt } from './statement.ts'

const time = (text: string): Date => new Date(`2026-11-${text}.000Z`)
const dayOf = (date: string) => statementDayAt(new Date(`${date}T00:00:00.000Z`))
const days = ['18', '19', '20', '21'].map((day) => dayOf(`2026-11-${day}`))

/** A deposit of USDT 1.00, the `n`th of the wallet. */
const deposit = (n: number, createdAt: Date): WalletTransaction => ({
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
function statementsAt(now: Date, log: readonly WalletTransaction[] = deposits) {
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
const list = (query: Partial<Parameters<ReturnType<typeof readStatements>['list']>[1]>) =>
  statementsAt(midday).list('ten_1', { limit: 10, ...query })
const dates = async (query: Parameters<typeof list>[0]) => {
  const { items, next } = await list(query)
  return [items.map(({ date }) => date.slice(-2)).join(' '), next?.date.slice(-2)]
}

test('lists the days from the creation until today; each opens with the closing balance before it', async () => {
  const { reads, ...statements } = statementsAt(midday)
  const { items, next } = await statements.list('ten_1', { limit: 10 })
  const balances = ([opening, closing]: readonly [bigint, bigint]) => ({
    opening: usdt(opening * 1_000_000n),
    closing: usdt(closing * 1_000_000n),
  })
  expect(items).toEqual([
    { date: '2026-11-21', status: 'open', ...balances([3n, 3n]) },
    { date: '2026-11-20', status: 'closed', ...balances([1n, 3n]) },
    { date: '2026-11-19', status: 'closed', ...balances([0n, 1n]) },
    { date: '2026-11-18', status: 'closed', ...balances([0n, 0n]) },
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
  expect(await list('ten_2', { limit: 10 })).toEqual({ items: [], next: null })
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
    expect([one?.date, all?.date]).toEqual(exists ? [date, date] : [undefined, undefined])
  }
})

test('a page has the day’s balances and its part of the transactions', async () => {
  const { page } = statementsAt(midday)
  const day = dayOf('2026-11-20')
  const [, second, third] = deposits
  const balances = { opening: usdt(1_000_000n), closing: usdt(3_000_000n) }
  const summary = { date: '2026-11-20', status: 'closed', ...balances }
  const empty = await page('ten_1', day, { limit: 1 })
  expect(empty).toEqual({ ...summary, transactions: [], next: { createdAt: day.start, id: '' } })
  const next = await page('ten_1', day, { limit: 1, ...(empty?.next && { after: empty.next }) })
  expect(next).toMatchObject({ transactions: [second], next: { id: 'wtx_2' } })
  const last = await page('ten_1', day, { limit: 1, ...(next?.next && { after: next.next }) })
  expect(last).toMatchObject({ transactions: [third], next: null })
})

async function chunksOf(stream: StatementStream | undefined) {
  const chunks: (readonly WalletTransaction[])[] = []
  if (stream) for await (const chunk of stream.chunks) chunks.push(chunk)
  return chunks
}

test('a stream reads a day to its end, without empty chunks', async () => {
  const { stream } = statementsAt(midday)
  const day = await stream('ten_1', dayOf('2026-11-20'))
  expect(day).toMatchObject({ status: 'closed', closing: usdt(3_000_000n) })
  const [, second, third] = deposits
  expect(await chunksOf(day)).toEqual([[second], [third]])
  const quiet = await stream('ten_1', dayOf('2026-11-18'))
  expect(await chunksOf(quiet)).toEqual([])
})
