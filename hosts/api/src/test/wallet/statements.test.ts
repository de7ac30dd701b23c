import { get, type IncomingMessage } from 'node:http'
import { Unavailable, usdt } from '@quipu/core'
import { walletTransactionId } from '@quipu/core/adapter'
import type { StatementMovement } from '@quipu/core/operator'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { operatorToken, type TestApi, testApi } from '../harness/api.fixture.ts'
import { sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

let api: TestApi
let tenant: TestTenant
beforeEach(async () => {
  api = await testApi() // At noon of 2 March 2026.
  tenant = await api.tenant()
})
afterEach(() => api.stop())

const statements = '/v1/statements'
const pay = async () => expect((await tenant.post('/v1/payouts', await tenant.order())).status).toBe(201)
const csv = async (date: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${statements}/${date}?format=csv`, { headers: { 'X-API-Key': tenant.key, ...headers } })

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
