import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type TestExample, testExample, until } from './example.fixture.ts'

let example: TestExample
beforeAll(async () => {
  example = await testExample()
})
afterAll(() => example.stop())

describe('the clock of a key', () => {
  test('is real time until it is advanced, any number of times', async () => {
    const stopped = await testExample({}, 'stopped')
    onTestFinished(() => stopped.stop())
    const key = stopped.newKey()

    const first = (await key.advance(60)).json
    const second = (await key.advance(30)).json

    expect(first).toMatchObject({ offset_seconds: 60 })
    expect(second).toMatchObject({ offset_seconds: 90 })
    expect(Date.parse(second.now) - stopped.realNow().getTime()).toBe(90_000)
    stopped.pass(500)
    const third = (await key.advance(1)).json
    expect(Date.parse(third.now) - stopped.realNow().getTime()).toBe(91_000)
  })

  test('belongs to that key alone', async () => {
    const [one, two] = [example.newKey(), example.newKey()]
    const target = { currency: 'BOB', amount: '100.00' }
    const quotes = await Promise.all([one, two].map((key) => key.post('/v1/quotes', { target })))
    const [ours, theirs] = quotes.map(({ json }) => json)

    await one.advance(61)

    expect(await one.get(`/v1/quotes/${ours.id}`)).toMatchObject({ status: 'expired' })
    expect(await two.get(`/v1/quotes/${theirs.id}`)).toMatchObject({ status: 'open' })
    const qr = { content: 'MOCK:OPEN' }
    const order = { transaction_id: 'late', type: 'qr', quote_id: ours.id, qr }
    const late = await one.post('/v1/payouts', order)
    expect(late).toMatchObject({ status: 409, json: { error: { code: 'QUOTE_EXPIRED' } } })
  })

  test('can be at most ten years ahead', async () => {
    const key = example.newKey()
    const year = 31_536_000
    for (let n = 0; n < 10; n++) expect((await key.advance(year)).status).toBe(200)

    const eleventh = await key.advance(1)

    expect(eleventh).toMatchObject({
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED', details: [{ field: 'seconds' }] } },
    })
    expect((await key.pay('MOCK:OPEN')).json).toMatchObject({ status: 'completed' })
  })
})

describe('a mock deposit', () => {
  test('is pending, then credited, each with its event', async () => {
    const key = example.newKey()
    const { status, json } = await key.post('/v1/mock/deposits', { amount: '25.5' })
    const { top_up_addresses: addresses, available } = await key.get('/v1/wallets')

    expect(status).toBe(201)
    expect(json).toMatchObject({
      id: expect.stringMatching(/^dep_/),
      chain: 'tron',
      tx_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      address: addresses[0].address,
      currency: 'USDT',
      amount: '25.500000',
      status: 'pending',
      review_code: null,
      credited_at: null,
    })
    expect(available).toBe('1000.000000')
    expect(await key.get(`/v1/deposits/${json.id}`)).toEqual(json)

    await key.advance(3)

    const credited = await key.get(`/v1/deposits/${json.id}`)
    expect(credited).toMatchObject({ status: 'credited', credited_at: expect.any(String) })
    expect(await key.available()).toBe('1025.500000')
    const events = (await key.get('/v1/events')).data
    expect(events).toMatchObject([
      { type: 'deposit.credited', data: credited },
      { type: 'deposit.pending', data: json },
    ])
    expect((await key.get('/v1/wallets/transactions')).data[0]).toMatchObject({
      direction: 'in',
      type: 'deposit',
      amount: '25.500000',
      balance_after: '1025.500000',
      deposit_id: json.id,
    })
    expect(await key.get('/v1/wallets/reconciliation')).toMatchObject({
      credited: '25.500000',
      adjusted: '1000.000000',
      balanced: true,
    })
  })

  test('is credited automatically after 3 seconds', async () => {
    const stopped = await testExample({}, 'stopped')
    onTestFinished(() => stopped.stop())
    const key = stopped.newKey()
    await key.post('/v1/mock/deposits', { amount: '1' })
    stopped.pass(2_999)
    expect((await key.get('/v1/deposits')).data).toMatchObject([{ status: 'pending' }])
    stopped.pass(1)

    const [deposit] = await until(
      async () => (await key.get('/v1/deposits')).data,
      ([found]) => found.status !== 'pending',
    )

    expect(Date.parse(deposit.credited_at) - Date.parse(deposit.created_at)).toBe(3_000)
  })

  test('many concurrent ones are each credited once', async () => {
    const key = example.newKey()
    const amounts = Array.from({ length: 20 }, (_, n) => String(n + 1))

    const sent = await Promise.all(amounts.map((amount) => key.post('/v1/mock/deposits', { amount })))
    await key.advance(3)

    expect(sent.every(({ status }) => status === 201)).toBe(true)
    expect(await key.available()).toBe('1210.000000')
    expect((await key.get('/v1/deposits?status=credited')).data).toHaveLength(20)
  })
})

test.each(['/v1/mock/clock/advance', '/v1/mock/deposits'])('%s takes POST only, with a key', async (path) => {
  const { key } = example.newKey()
  const read = await example.ask('GET', path, { key })
  expect(read).toMatchObject({ status: 405, json: { error: { code: 'METHOD_NOT_ALLOWED' } } })
  expect(read.headers.get('Allow')).toBe('POST')
  expect(await example.ask('POST', path, { body: {} })).toMatchObject({ status: 401 })
})

test('allows pages of any origin', async () => {
  const origin = { Origin: 'https://docs.example', 'Access-Control-Request-Method': 'POST' }
  const preflight = await example.ask('OPTIONS', '/v1/payouts', { headers: origin })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('X-API-Key')
  const read = await example.ask('GET', '/v1/wallets', { key: example.newKey().key })
  expect(read.headers.get('Access-Control-Allow-Origin')).toBe('*')
})
