import { get, type IncomingMessage } from 'node:http'
import { Unavailable, usdt } from '@quipu/core'
import { walletTransactionId } from '@quipu/core/adapter'
import type { StatementMovement } from '@quipu/core/operator'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { operatorToken, type TestApi, testApi } from '../harness/api.fixture.ts'
import { type Json, sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let api: TestApi
let tenant: TestTenant
beforeEach(async () => {
  api = await testApi() // At noon of 2 March 2026.
  tenant = await api.tenant()
})
afterEach(() => api.stop())

const dayMs = 86_400_000
const statements = '/v1/statements'
const pay = async () => expect((await tenant.post('/v1/payouts', await tenant.order())).status).toBe(201)
const csv = async (date: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${statements}/${date}?format=csv`, { headers: { 'X-API-Key': tenant.key, ...headers } })

test('each day opens with the balance with which the day before closed, and ends with the wallet’s', async () => {
  await pay()
  api.clock.step(2 * dayMs)
  await pay()
  const { json } = await tenant.get(statements)
  expect(json.data.map(({ period, status }: Json) => [period, status])).toEqual([
    ['2026-03-04', 'open'],
    ['2026-03-03', 'final'],
    ['2026-03-02', 'final'],
  ])
  const [today, quiet, first] = json.data
  expect([first.opening_balance, quiet.opening_balance]).toEqual(['0.000000', first.closing_balance])
  expect([quiet.closing_balance, today.opening_balance]).toEqual([quiet.opening_balance, quiet.closing_balance])
  const { available } = (await tenant.get('/v1/wallets')).json
  expect(today.closing_balance).toBe(available)
  const read = (await tenant.get(`${statements}/2026-03-02`)).json
  const rows = (await tenant.get('/v1/wallets/transactions')).json.data
  expect(read).toMatchObject({ ...first, data: rows.slice(1).toReversed(), next_cursor: null })
  const { target, quote, qr, network_payment_id } = (await tenant.get('/v1/payouts')).json.data[1]
  expect(network_payment_id).toEqual(expect.any(String))
  const { rate, fee } = quote
  expect(read.data[1]).toMatchObject({ target, rate, fee, merchant: qr.merchant, network_payment_id })
  expect((await tenant.get(`${statements}/2026-03-03`)).json.data).toEqual([])
  const byOperator = await api.operator('GET', `/operator/v1/tenants/${tenant.id}/statements/2026-03-02`)
  expect(byOperator.json).toEqual(read)
})

test('days and transactions come in pages, within the dates of the query', async () => {
  await pay()
  api.clock.step(3 * dayMs)
  const dates = async (query: string) =>
    (await tenant.get(statements + query)).json.data.map(({ period }: Json) => period)
  const page = (await tenant.get(`${statements}?limit=3`)).json
  expect(await dates(`?limit=3&cursor=${page.next_cursor}`)).toEqual(['2026-03-02'])
  expect(await dates('?from=2026-03-03&to=2026-03-04')).toEqual(['2026-03-04', '2026-03-03'])
  expect(await dates('?from=2026-01-01&to=2026-03-02')).toEqual(['2026-03-02'])
  expect(await dates('?from=2027-01-01')).toEqual([])
  const day = `${statements}/2026-03-02`
  const whole = (await tenant.get(day)).json.data
  const seen = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const part: Json = (await tenant.get(`${day}?limit=1${cursor && `&cursor=${cursor}`}`)).json
    seen.push(...part.data)
    cursor = part.next_cursor
  }
  expect(seen).toEqual(whole)
  expect(whole).toHaveLength(2)
})

test('a day before the first, one that has not begun, and a text that is no date are 404', async () => {
  for (const date of ['2026-03-01', '2026-03-03', '2026-02-30', '2026-02', '2026-04', 'today'])
    expect(await tenant.get(`${statements}/${date}`)).toMatchObject({
      code: 'STATEMENT_NOT_FOUND',
      json: { error: { message: expect.stringContaining(date) } },
    })
  const ofNobody = '/operator/v1/tenants/ten_01K6HZ8M00000000000000000A/statements/2026-03-02'
  expect((await api.operator('GET', ofNobody)).code).toBe('TENANT_NOT_FOUND')
})

test('a month has all of its days, in the zone that is asked for', async () => {
  await pay()
  api.clock.step(14 * 3_600_000) // 02:00 UTC of the 3rd, 22:00 of the 2nd in La Paz.
  await pay()
  const idsOf = async (path: string) => {
    const { json } = await tenant.get(`${statements}/${path}`)
    return [json.status, json.data.length, json.from]
  }
  expect(await idsOf('2026-03')).toEqual(['open', 3, '2026-03-01T00:00:00.000Z'])
  expect(await idsOf('2026-03-02')).toEqual(['final', 2, '2026-03-02T00:00:00.000Z'])
  const inLaPaz = ['open', 3, '2026-03-02T00:00:00.000-04:00']
  expect(await idsOf('2026-03-02?timezone=America/La_Paz')).toEqual(inLaPaz)
})

test('the whole day is read as CSV, by the query or the header', async () => {
  await pay()
  const answer = await csv('2026-03-02')
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/)
  expect(answer.headers.get('content-disposition')).toContain('statement-2026-03-02-UTC.csv')
  const text = await answer.text()
  const records = text.split('\r\n').map((line) => line.split(',')[0])
  expect(records).toEqual(['record', 'opening', 'transaction', 'transaction', 'closing', ''])
  const { available } = (await tenant.get('/v1/wallets')).json
  expect(text.split('\r\n').at(-2)).toMatch(`closing,2026-03-02T12:00:00.000Z,,,,USDT,,${available},`)
  expect(text).toMatch(/,open\r\n$/)
  const accept = { 'X-API-Key': tenant.key, accept: 'text/csv, application/json;q=0.5' }
  const byHeader = await fetch(`${api.url}${statements}/2026-03-02`, { headers: accept })
  expect(await byHeader.text()).toBe(text)
  const url = `${api.operatorUrl}/operator/v1/tenants/${tenant.id}/statements/2026-03-02?format=csv`
  const byOperator = await fetch(url, { headers: { authorization: `Bearer ${operatorToken}` } })
  expect(await byOperator.text()).toBe(text)
  expect((await sendRequest(url, 'GET', { token: 'viewers' })).status).toBe(200)
})

const row = (n: number): StatementMovement => ({
  payment: null,
  seq: BigInt(n),
  direction: 'in',
  type: 'adjustment',
  amount: usdt(1n),
  id: walletTransactionId(tenant.id, api.clock.now(), BigInt(n)),
  balanceAfter: usdt(BigInt(n)),
  payoutId: null,
  depositId: null,
  transactionId: null,
  createdAt: api.clock.now(),
})

/** Days with this many chunks of 1,000 transactions. @returns how many chunks were read */
function longDay(chunks: number, fail = false): () => number {
  let read = 0
  api.stores.statements.transactions = async () => {
    read++
    if (fail && read === 3) throw new Unavailable('store', 'gone')
    const items = Array.from({ length: 1_000 }, (_, n) => row(read * 1_000 + n))
    const { id, createdAt } = row(read * 1_000 + 999)
    return { items, next: read < chunks ? { createdAt, id } : null }
  }
  return () => read
}

test('a long day is read at the pace of its reader', async () => {
  const read = longDay(1_000)
  const options = { headers: { 'X-API-Key': tenant.key } }
  const url = `${api.url}${statements}/2026-03-02?format=csv`
  const answer = await new Promise<IncomingMessage>((resolve) => {
    get(url, options, resolve)
  })
  answer.pause()
  let before = -1
  // Buffers of both sides fill, and then nothing more is read.
  while (read() !== before) {
    before = read()
    for (let n = 0; n < 1_000; n++) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(read()).toBeLessThan(200)
  answer.destroy()
})

test('when the database fails within a day, the text is cut before its closing', async () => {
  longDay(5, true)
  const answer = await csv('2026-03-02')
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow()
})

test('a wallet shows its balance at an instant of its life, and names the others', async () => {
  await pay()
  const [paid, funded] = (await tenant.get('/v1/wallets/transactions')).json.data
  api.clock.step(dayMs)
  await pay()
  const at = async (instant: string) => tenant.get(`/v1/wallets?at=${encodeURIComponent(instant)}`)
  const balanceAt = async (instant: string) => (await at(instant)).json.balance_at
  expect(await balanceAt(paid.created_at)).toEqual({ at: paid.created_at, status: 'final', total: paid.balance_after })
  const { json } = await tenant.get('/v1/wallets')
  const now = api.clock.now().toISOString()
  expect(json.balance_at).toBeNull()
  expect(await balanceAt(now)).toEqual({ at: now, status: 'open', total: json.total })
  const before = new Date(Date.parse(json.created_at) - 1).toISOString()
  expect(Date.parse(funded.created_at)).toBeGreaterThanOrEqual(Date.parse(json.created_at))
  const later = new Date(api.clock.now().getTime() + 1).toISOString()
  for (const [instant, words] of [
    [before, `at must not be before the wallet was created, ${json.created_at}`],
    [later, 'at must not be in the future'],
  ] as const)
    expect(await at(instant)).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining(words) } },
    })
})
