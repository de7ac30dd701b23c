import { readFileSync } from 'node:fs'
import { bob as ofBob } from '@quipu/core'
import { sandboxScenarios } from '@quipu/core/adapter'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { writeMockContent } from '../network/mock-content.ts'
import { type TestExample, testExample, until } from './example.fixture.ts'

const full = '1000.000000'
const debited = '989.796647'
const bob = (amount: string) => ({ currency: 'BOB', amount })
const source = { currency: 'USDT', amount: '10.203353' }
const refused = { status: 422, json: { error: { code: 'QR_REFUSED' } } }

const reads = (amount: string | null) => ({
  status: 201,
  json: {
    resolution_id: expect.stringMatching(/^qrr_/),
    amount_mode: amount === null ? 'open' : 'closed',
    amount: amount === null ? null : bob(amount),
    merchant: { name: expect.any(String), bank_code: expect.any(String) },
  },
})
const paid = { status: 'completed', source, target: bob('100.00'), error: null }
const ended = (status: string, code: string, more: object = {}) => ({
  status,
  source: null,
  target: bob('100.00'),
  error: { code, message: expect.any(String) },
  completed_at: null,
  ...more,
})

/** The answers to each content on resolve and on payout, and what can be spent afterwards. */
const rows: readonly [content: string, resolved: object, payout: object, available: string][] = [
  // As the specification has them, after quoting BOB 100.00. @source spec §1
  ['MOCK:CLOSED:100.00', reads('100.00'), paid, debited],
  ['MOCK:OPEN', reads(null), paid, debited],
  [
    'MOCK:PENDING:100.00',
    reads('100.00'),
    { status: 'processing', source: null, error: null, completed_at: null },
    debited,
  ],
  ['MOCK:FAIL:100.00', reads('100.00'), ended('failed', 'PAYMENT_FAILED'), full],
  ['MOCK:NOFUNDS:100.00', reads('100.00'), ended('cancelled', 'INSUFFICIENT_FUNDS'), full],
  [
    'MOCK:CLOSED:300.00',
    reads('300.00'),
    ended('cancelled', 'QUOTE_AMOUNT_MISMATCH', { quote: null, target: bob('300.00') }),
    full,
  ],
  [
    'MOCK:INVALID',
    refused,
    ended('rejected', 'QR_REFUSED', { quote: null, qr: { amount_mode: null, merchant: null } }),
    full,
  ],
  // The ones beyond it.
  ['MOCK:LIMIT:100.00', reads('100.00'), ended('cancelled', 'AMOUNT_EXCEEDS_PROVIDER_LIMIT'), full],
  ['MOCK:REFUSED:100.00', reads('100.00'), ended('rejected', 'QR_REFUSED'), full],
  ['MOCK:OPEN:FAIL', reads(null), ended('failed', 'PAYMENT_FAILED'), full],
]

test.each(sandboxScenarios)('the README has the content of scenario %s', (scenario) => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`| \`${writeMockContent({ amount: ofBob(100_00n), scenario })}\` |`)
})

describe('the content of a QR decides the outcome', () => {
  let example: TestExample
  beforeAll(async () => {
    example = await testExample()
  })
  afterAll(() => example.stop())

  test.each(rows)('%s', async (content, resolved, payout, available) => {
    const key = example.newKey()

    expect(await key.resolve(content)).toMatchObject(resolved)
    expect(await key.pay(content)).toMatchObject({ status: 201, json: payout })
    expect(await key.available()).toBe(available)
  })

  test('a late payment is processing with a hold, and is completed after 3 seconds', async () => {
    const stopped = await testExample({}, 'stopped')
    onTestFinished(() => stopped.stop())
    const key = stopped.newKey()
    const { json } = await key.pay('MOCK:PENDING:100.00')
    expect(await key.get('/v1/wallets')).toMatchObject({ available: debited, held: '10.203353' })
    stopped.pass(2_999)
    expect(await key.get(`/v1/payouts/${json.id}`)).toMatchObject({ status: 'processing' })
    stopped.pass(1)
    const done = await until(
      () => key.get(`/v1/payouts/${json.id}`),
      ({ status }) => status !== 'processing',
    )

    expect(done).toMatchObject(paid)
    expect(Date.parse(done.completed_at) - Date.parse(done.created_at)).toBe(3_000)
    expect(await key.get('/v1/wallets')).toMatchObject({ available: debited, held: '0.000000' })
  })

  test('a payment in doubt keeps its hold for a day, and is cancelled when people have settled it', async () => {
    const key = example.newKey()
    const { json } = await key.pay('MOCK:DOUBT:100.00')
    expect(json).toMatchObject({ status: 'processing' })
    await key.advance(86_399)
    expect(await key.get(`/v1/payouts/${json.id}`)).toMatchObject({ status: 'processing' })
    expect(await key.get('/v1/wallets')).toMatchObject({ available: debited, held: '10.203353' })
    await key.advance(1)
    expect(await key.get(`/v1/payouts/${json.id}`)).toMatchObject(ended('cancelled', 'PAYMENT_CANCELLED'))
    expect(await key.available()).toBe(full)
  })

  test.each([
    'MOCK:',
    'MOCK',
    'mock:OPEN',
    'MOCK:open',
    'MOCK:PAID:1.00',
    ' MOCK:OPEN',
    'MOCK:OPEN ',
    'MOCK:CLOSED',
    'MOCK:CLOSED:',
    'MOCK:CLOSED:0',
    'MOCK:CLOSED:0.00',
    'MOCK:CLOSED:-1.00',
    'MOCK:CLOSED:1.001',
    'MOCK:CLOSED:1e2',
    'MOCK:CLOSED:01.00',
    'MOCK:CLOSED:1.00:',
    'MOCK:FAIL',
    'MOCK:OPEN:100.00',
    'MOCK:OPEN:CLOSED',
    'MOCK:INVALID:100.00',
    'MOCK:toString:1.00',
    'hello',
    'MOCK:constructor',
    'MOCK:CLOSED:1000000000000.00',
    'TU9DSzpPUEVO|5A0D0000',
    '\n',
  ])('any other content is unreadable: %j', async (content) => {
    const key = example.newKey()

    expect(await key.resolve(content)).toMatchObject(refused)
    expect((await key.pay(content)).json).toMatchObject({ status: 'rejected' })
  })

  test('a QR is payable for a day from when it is read, as its content has no date', async () => {
    const { created_at: at, expires_at: until } = (await example.newKey().resolve('MOCK:OPEN')).json
    expect(Date.parse(until) - Date.parse(at)).toBeCloseTo(86_400_000, -4)
  })

  test('an amount can be written as in a request', async () => {
    expect(await example.newKey().resolve('MOCK:CLOSED:100')).toMatchObject(reads('100.00'))
    expect(await example.newKey().resolve('MOCK:CLOSED:0.5')).toMatchObject(reads('0.50'))
  })

  test('a sandbox QR is read with its own names, by the key that created it', async () => {
    const key = example.newKey()
    const named = { merchant_name: 'Café Illimani', description: 'Mesa 4' }
    const request = { amount_mode: 'closed', amount: '100.00', ...named }
    const { json: qr } = await key.post('/v1/sandbox/qr-codes', request)
    const merchant = { name: named.merchant_name }

    expect(qr).toMatchObject({ merchant, description: 'Mesa 4' })
    expect((await key.resolve(qr.content)).json).toMatchObject({ merchant, description: 'Mesa 4' })
    expect((await key.pay(qr.content)).json).toMatchObject({ status: 'completed', qr: { merchant } })
    const other = await example.newKey().resolve(qr.content)
    expect(other.json).toMatchObject({ description: null })
    expect(other.json.merchant.name).not.toBe(named.merchant_name)
  })
})
