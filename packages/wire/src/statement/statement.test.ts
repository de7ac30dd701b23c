import { toDecimal } from '@quipu/core'
import { walletTransactionId } from '@quipu/core/adapter'
import { type Statement, type StatementDay, statementDay } from '@quipu/core/operator'
import { anyId, anyInstant, anyUsdt } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { anyWalletTransaction } from '../deposit/funding.fixture.ts'
import { walletTransactionToJson } from '../ledger/wallet-transaction.ts'
import { cursorScope, encodeCursor, exampleCursor } from '../list/cursor.ts'
import {
  parseStatement,
  parseStatementList,
  statement,
  statementListQuery,
  statementPosition,
  statementQuery,
  statementSummary,
  statementSummaryPage,
  statementSummaryToJson,
  statementToJson,
} from './statement.ts'

const day = statementDay('2026-11-20') as StatementDay
const tenantId = 'ten_01K6HZ8M00000000000000000A'
const transactionId = walletTransactionId(tenantId, day.start, 1n)

const anySummary = fc.record({
  date: fc.constant(day.date),
  status: fc.constantFrom('open' as const, 'closed' as const),
  opening: anyUsdt,
  closing: anyUsdt,
})
const anyStatement: fc.Arbitrary<Statement> = fc
  .tuple(
    anySummary,
    fc.array(anyWalletTransaction, { maxLength: 3 }),
    fc.option(fc.record({ createdAt: anyInstant, id: anyId('wtx') })),
  )
  .map(([summary, transactions, next]) => ({ ...summary, transactions, next }))

const summaryMembersOf = ({ date, status, opening, closing }: Omit<Statement, 'transactions'>) => ({
  date,
  status,
  currency: 'USDT',
  opening_balance: toDecimal(opening),
  closing_balance: toDecimal(closing),
})

test('a day in the list shows its balances and whether it can still change', () => {
  fc.assert(
    fc.property(anySummary, (summary) => {
      const json = statementSummaryToJson(summary)
      expect(json).toEqual(summaryMembersOf({ ...summary, next: null }))
      expect(statementSummary.parse(json)).toEqual(json)
      const page = { data: [json], next_cursor: null }
      expect(statementSummaryPage.parse(page)).toEqual(page)
    }),
  )
})

test('a statement shows the transactions of its day, and where the next page begins', () => {
  fc.assert(
    fc.property(anyStatement, (page) => {
      const json = statementToJson(tenantId, page)
      const { next_cursor, ...members } = json
      expect(members).toEqual({ ...summaryMembersOf(page), data: page.transactions.map(walletTransactionToJson) })
      expect(next_cursor === null).toBe(page.next === null)
      expect(statement.parse(json)).toEqual(json)
    }),
  )
})

test.each(['2026-11-2', '12026-11-20', '2026-11-201', '2026/11/20', 'abcd-11-20', '2026-ab-20', ''])(
  'the date of an answer is not %j',
  (date) => {
    const [summary] = fc.sample(anySummary, { numRuns: 1, seed: 1 })
    if (!summary) throw new Error('no summary was drawn')
    const json = statementSummaryToJson(summary)
    expect(statementSummary.safeParse({ ...json, date }).success).toBe(false)
    expect(statementSummary.safeParse({ ...json, status: 'draft' }).success).toBe(false)
  },
)

function list(search: string) {
  const parsed = parseStatementList(tenantId, search)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.value
}

const listRefusal = (search: string) => issuesOf(parseStatementList(tenantId, search))
const pageRefusal = (search: string) => issuesOf(parseStatement(tenantId, day.date, search))

function issuesOf(
  parsed: ReturnType<typeof parseStatement> | ReturnType<typeof parseStatementList>,
): readonly string[] {
  return parsed.ok ? [] : parsed.issues.map(({ field, message }) => `${field} ${message}`)
}

test('the list takes days from and to, both inclusive, and a page', () => {
  expect(list('').query).toEqual({ limit: 50 })
  expect(list('from=2026-11-20&limit=3').query).toEqual({ limit: 3, from: day })
  expect(list('to=2026-11-20').query).toEqual({ limit: 50, to: day })
  expect(list('from=2026-11-20&to=2026-11-20').query).toEqual({ limit: 50, from: day, to: day })
  expect(listRefusal('from=2026-11-21&to=2026-11-20')).toEqual(['from must not be after to'])
  expect(listRefusal('day=1')).toEqual(['day is not allowed in the query; allowed are from, to, limit, cursor'])
})

test.each(['2026-02-30', '2026-11-20T00:00:00Z', '12026-11-20', '2026-11-2', '2026-1-20', '20-11-2026', 'today', ''])(
  'the list refuses %j as a day',
  (text) => {
    const rule = 'must be a date of the calendar, such as 2026-11-20'
    expect(listRefusal(`from=${text}`)).toEqual([`from ${rule}`])
    expect(listRefusal(`to=${text}`)).toEqual([`to ${rule}`])
  },
)

test('a page of the list continues after the last day of the page before it, with the same days only', () => {
  const read = (search: string) => parseStatementList(tenantId, search)
  const searches = ['', 'from=2026-11-01', 'to=2026-11-30', 'from=2026-11-01&to=2026-11-30']
  for (const search of searches) {
    const position = statementPosition(day)
    if (!position) throw new Error('a day has a position')
    const cursor = encodeCursor(position, list(search).scope)
    expect(list(`${search}&cursor=${cursor}`).query).toMatchObject({ after: day })
    expect(searches.filter((each) => read(`${each}&cursor=${cursor}`).ok)).toEqual([search])
    expect(parseStatementList('ten_1', `${search}&cursor=${cursor}`).ok).toBe(false)
  }
  expect(statementPosition(null)).toBeNull()
  // Cursors stay valid as long as this does.
  expect(list('from=2026-11-01&to=2026-11-30').scope).toEqual(
    cursorScope('statements', tenantId, { from: '2026-11-01', to: '2026-11-30' }),
  )
})

test('a day is read as JSON by page, or as CSV in whole', () => {
  const read = (search: string) => parseStatement(tenantId, day.date, search)
  const page = { limit: 50 }
  expect(read('')).toEqual({ ok: true, value: { format: undefined, page } })
  expect(read('format=csv')).toEqual({ ok: true, value: { format: 'csv', page } })
  expect(read('format=json&limit=7')).toEqual({ ok: true, value: { format: 'json', page: { limit: 7 } } })
  expect(pageRefusal('format=csv&limit=7')).toEqual(['limit must be left out with format=csv'])
  expect(pageRefusal(`format=csv&limit=7&cursor=${exampleCursor}`)).toEqual([
    'limit must be left out with format=csv',
    'cursor must be left out with format=csv',
  ])
  expect(pageRefusal('format=xml')).toEqual(['format must be json or csv'])
  expect(pageRefusal('day=1')).toEqual(['day is not allowed in the query; allowed are format, limit, cursor'])
})

test('the next page of a day is read by its cursor, which is of this tenant and day only', () => {
  const after = { createdAt: new Date('2026-11-20T12:00:00Z'), id: transactionId }
  const [drawn] = fc.sample(anyStatement, { numRuns: 1, seed: 1 })
  if (!drawn) throw new Error('no statement was drawn')
  const { next_cursor } = statementToJson(tenantId, { ...drawn, next: after })
  const read = (tenant: string, date: string) => parseStatement(tenant, date, `cursor=${next_cursor}`)
  expect(read(tenantId, day.date)).toMatchObject({ value: { page: { limit: 50, after } } })
  expect(read(tenantId, '2026-11-21').ok).toBe(false)
  expect(read('ten_1', day.date).ok).toBe(false)
  // Cursors stay valid as long as this does.
  const scope = cursorScope('wallet_transactions', tenantId, { statement: day.date })
  expect(next_cursor).toBe(encodeCursor(after, scope))
})

test('the schemas have the formats that generated types take from them', () => {
  expect(statementSummary.shape.date.meta()).toMatchObject({ format: 'date' })
  const pattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
  expect(z.toJSONSchema(statementListQuery).properties).toMatchObject({
    from: { format: 'date', pattern },
    to: { format: 'date', pattern },
  })
  expect(Object.keys(statementQuery.shape)).toEqual(['format', 'limit', 'cursor'])
})
