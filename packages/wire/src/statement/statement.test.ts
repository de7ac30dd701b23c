import { usdt } from '@quipu/core'
import { walletTransactionId } from '@quipu/core/adapter'
import { namedPeriod, type Period, type Timezone } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { pageLimit } from '../list/list.ts'
import { issuesOf } from '../list/query.fixture.ts'
import { cursorScope, encodeCursor, exampleCursor } from '../list/cursor.ts'
import { parseStatement, parseStatementList, statementPosition, statementToJson } from './statement.ts'

const limit = pageLimit.default
const periodOf = (name: string, timezone: Timezone = 'UTC') => namedPeriod(name, timezone) as Period
const day = periodOf('2026-11-20')
const tenantId = 'ten_01K6HZ8M00000000000000000A'
const transactionId = walletTransactionId(tenantId, day.from, 1n)

function list(search: string) {
  const parsed = parseStatementList(tenantId, search)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return parsed.value
}

const listRefusal = (search: string) => issuesOf(parseStatementList(tenantId, search))
const pageRefusal = (search: string) => issuesOf(parseStatement(tenantId, day.name, search))

test('the list takes days from and to, both inclusive, and a page', () => {
  const timezone = 'UTC'
  expect(list('').query).toEqual({ limit, timezone })
  const inLaPaz = { limit, timezone: 'America/La_Paz', from: periodOf('2026-11-20', 'America/La_Paz') }
  expect(list('from=2026-11-20&timezone=America%2FLa_Paz').query).toEqual(inLaPaz)
  expect(listRefusal('timezone=CET')).toEqual(['timezone must be UTC or America/La_Paz'])
  expect(list('from=2026-11-20&limit=3').query).toEqual({ limit: 3, timezone, from: day })
  expect(list('to=2026-11-20').query).toEqual({ limit, timezone, to: day })
  expect(list('from=2026-11-20&to=2026-11-20').query).toEqual({ limit, timezone, from: day, to: day })
  expect(listRefusal('from=2026-11-21&to=2026-11-20')).toEqual(['from must not be after to'])
  expect(listRefusal('day=1')).toEqual([
    'day is not allowed in the query; allowed are from, to, timezone, limit, cursor',
  ])
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
    cursorScope('statements', tenantId, { from: '2026-11-01', timezone: 'UTC', to: '2026-11-30' }),
  )
})

test('a day is read as JSON by page, or as CSV in whole', () => {
  const read = (search: string) => parseStatement(tenantId, day.name, search)
  const timezone = 'UTC'
  const page = { limit }
  expect(read('')).toEqual({ ok: true, value: { format: undefined, timezone, page } })
  expect(read('format=csv')).toEqual({ ok: true, value: { format: 'csv', timezone, page } })
  expect(read('format=json&limit=7')).toEqual({ ok: true, value: { format: 'json', timezone, page: { limit: 7 } } })
  expect(pageRefusal('format=csv&limit=7')).toEqual(['limit must be left out with format=csv'])
  expect(pageRefusal(`format=csv&limit=7&cursor=${exampleCursor}`)).toEqual([
    'limit must be left out with format=csv',
    'cursor must be left out with format=csv',
  ])
  expect(pageRefusal('format=xml')).toEqual(['format must be json or csv'])
  expect(pageRefusal('day=1')).toEqual(['day is not allowed in the query; allowed are format, timezone, limit, cursor'])
})

test('the next page of a day is read by its cursor, which is of this tenant and day only', () => {
  const after = { createdAt: new Date('2026-11-20T12:00:00Z'), id: transactionId }
  const summary = { period: day, status: 'final', readAt: day.to, opening: usdt(0n), closing: usdt(0n) } as const
  const { next_cursor } = statementToJson(tenantId, { ...summary, transactions: [], next: after })
  const read = (tenant: string, date: string) => parseStatement(tenant, date, `cursor=${next_cursor}`)
  expect(read(tenantId, day.name)).toMatchObject({ value: { page: { limit, after } } })
  expect(read(tenantId, '2026-11-21').ok).toBe(false)
  expect(read('ten_1', day.name).ok).toBe(false)
  expect(parseStatement(tenantId, day.name, `cursor=${next_cursor}&timezone=America%2FLa_Paz`).ok).toBe(false)
  // Cursors stay valid as long as this does.
  const scope = cursorScope('wallet_transactions', tenantId, { statement: day.name, timezone: 'UTC' })
  expect(next_cursor).toBe(encodeCursor(after, scope))
})
