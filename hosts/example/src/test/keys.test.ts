import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyAt, type TestExample, testExample } from './example.fixture.ts'

const unauthorized = { status: 401, json: { error: { code: 'AUTHENTICATION_FAILED' } } }
const notFound = { error: { code: expect.stringMatching(/_NOT_FOUND$/) } }

describe('keys', () => {
  let example: TestExample
  beforeAll(async () => {
    example = await testExample()
  })
  afterAll(() => example.stop())

  test.each(['qpu_mock_', 'qpu_mock_a', 'qpu_mock_ñ-. ,'])(
    'any key that begins with the prefix has 1,000 USDT: %s',
    async (key) => {
      const shown = keyAt(example.ask, key)
      expect(await shown.get('/v1/wallets')).toMatchObject({
        currency: 'USDT',
        available: '1000.000000',
        held: '0.000000',
        total: '1000.000000',
        top_up_addresses: [{ chain: 'tron', address: expect.stringMatching(/^T.{33}$/) }],
      })
    },
  )

  test.each([undefined, '', 'qpu_mock', 'QPU_MOCK_a', 'qpu_test_a', 'qpu_live_a'])(
    'no other key works: %s',
    async (key) => {
      const reply = await example.ask('GET', '/v1/wallets', key === undefined ? {} : { key })
      expect(reply).toMatchObject(unauthorized)
    },
  )

  test('two keys never see each other', async () => {
    const [one, two] = [example.newKey(), example.newKey()]
    const payout = (await one.pay('MOCK:OPEN')).json
    const quote = (await one.post('/v1/quotes', { target: payout.target })).json
    const resolution = (await one.resolve('MOCK:OPEN')).json
    const webhook = (await one.post('/v1/webhooks', { url: `${example.url}/hook` })).json
    const deposit = (await one.post('/v1/mock/deposits', { amount: '5' })).json
    const event = (await one.get('/v1/events')).data[0]
    await one.advance(86_400)

    expect(await two.available()).toBe('1000.000000')
    for (const list of ['payouts', 'events', 'webhooks', 'deposits'])
      expect((await two.get(`/v1/${list}`)).data).toEqual([])
    expect((await two.get('/v1/wallets/transactions')).data).toHaveLength(1)
    for (const path of [
      `payouts/${payout.id}`,
      `quotes/${quote.id}`,
      `webhooks/${webhook.id}`,
      `webhooks/${webhook.id}/deliveries`,
      `deposits/${deposit.id}`,
      `events/${event.id}`,
    ]) {
      expect(await one.get(`/v1/${path}`)).not.toMatchObject(notFound)
      expect(await two.get(`/v1/${path}`)).toMatchObject(notFound)
    }
    const quoted = await two.post('/v1/quotes', { resolution_id: resolution.resolution_id })
    expect(quoted).toMatchObject({ status: 404, json: { error: { code: 'RESOLUTION_NOT_FOUND' } } })
    const [a, b] = await Promise.all([one.get('/v1/wallets'), two.get('/v1/wallets')])
    expect(a.id).not.toBe(b.id)
    expect(a.top_up_addresses[0].address).not.toBe(b.top_up_addresses[0].address)
  })

  test('spec §1 — long keys that differ only at their end are different keys', async () => {
    const endingIn = (end: string) => keyAt(example.ask, `qpu_mock_${'x'.repeat(8_000)}${end}`)
    await endingIn('a').pay('MOCK:OPEN')
    expect(await endingIn('a').available()).toBe('989.796647')
    expect(await endingIn('b').available()).toBe('1000.000000')
  })

  test('concurrent requests of many keys stay separate', async () => {
    const many = Array.from({ length: 40 }, () => example.newKey())

    const paid = await Promise.all(many.map((key, n) => key.pay(n % 2 === 0 ? 'MOCK:OPEN' : 'MOCK:FAIL:100.00')))

    for (const [n, key] of many.entries()) {
      const { data } = await key.get('/v1/payouts')
      expect(data).toEqual([paid[n]?.json])
      expect(await key.available()).toBe(n % 2 === 0 ? '989.796647' : '1000.000000')
    }
  })

  test('a key that replaces another has its data, and the old one ends with the overlap', async () => {
    const old = example.newKey()
    await old.pay('MOCK:OPEN')
    const { id } = await old.get('/v1/api-keys/current')
    const rotated = await old.post(`/v1/api-keys/${id}/rotate`, { overlap_seconds: 60 })
    expect(rotated.status).toBe(201)
    const next = keyAt(example.ask, rotated.json.key)
    const balances = async () => Promise.all([old.available(), next.available()])
    expect(await balances()).toEqual(['989.796647', '989.796647'])
    await old.advance(60)
    expect(await old.advance(1)).toMatchObject(unauthorized)
    expect(await balances()).toEqual([undefined, '989.796647'])
    expect((await next.get('/v1/api-keys')).data).toMatchObject([{ id: rotated.json.id }, { id, status: 'expired' }])
    expect((await next.post(`/v1/api-keys/${rotated.json.id}/revoke`)).json.error.code).toBe('API_KEY_IS_LAST')
  })

  test('a key always has the same top-up address', async () => {
    const again = await testExample()
    const [before, after] = await Promise.all(
      [example, again].map(({ ask }) => keyAt(ask, 'qpu_mock_same').get('/v1/wallets')),
    )
    expect(after.top_up_addresses).toEqual(before.top_up_addresses)
    await again.stop()
  })
})

test('requests of a source address are limited, whatever its keys', async () => {
  const example = await testExample({ RATE_LIMIT_SOURCE: '5' }, 'stopped')
  const ask = () => example.newKey().post('/v1/payouts/qr/resolve', { content: 'MOCK:OPEN' })

  const replies = await Promise.all(Array.from({ length: 20 }, ask))

  const limited = replies.filter(({ status }) => status === 429)
  expect(limited).toHaveLength(15)
  expect(limited[0]?.json).toMatchObject({ error: { code: 'RATE_LIMITED' } })
  expect(limited[0]?.headers.get('Retry-After')).toBe('1')
  example.pass(1_000)
  expect((await ask()).status).toBe(201)
  await example.stop()
})
