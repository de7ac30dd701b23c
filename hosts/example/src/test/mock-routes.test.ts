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

  test('sends nothing to the zero address', async () => {
    const body = { chain: 'tron', address: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', amount: '100' }
    const headers = { 'Idempotency-Key': 'a' }
    expect(await example.newKey().post('/v1/sandbox/faucet', body, headers)).toMatchObject({
      status: 422,
      json: { error: { code: 'RECIPIENT_NOT_ALLOWED' } },
    })
  })

  test('lets a key use the faucet again after a minute', async () => {
    const key = example.newKey()
    const body = { chain: 'tron', address: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA', amount: '100' }
    const ask = (id: string) => key.post('/v1/sandbox/faucet', body, { 'Idempotency-Key': id })

    const first = await ask('a')
    expect(first).toMatchObject({
      status: 201,
      json: { status: 'submitted', amount: '100.000000', remaining_today: '900.000000' },
    })
    expect(first.json.tx_hash).toMatch(/^[0-9a-f]{64}$/)
    expect((await ask('a')).json).toEqual({ ...first.json, replayed: true })
    expect(await ask('b')).toMatchObject({ status: 429, json: { error: { code: 'FAUCET_TOO_SOON' } } })
    await key.advance(60)
    expect(await ask('b')).toMatchObject({ status: 201 })
    expect(await key.available()).toBe('1000.000000')
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

  test.each([
    ['0.999999', 'AMOUNT_BELOW_MINIMUM'],
    ['100000.000001', 'AMOUNT_ABOVE_AUTO_LIMIT'],
    ['999999999999.999999', 'AMOUNT_ABOVE_AUTO_LIMIT'],
  ])('of %s is in review: %s', async (amount, code) => {
    const key = example.newKey()
    await key.post('/v1/mock/deposits', { amount })
    await key.advance(3)

    expect((await key.get('/v1/deposits')).data).toMatchObject([
      { status: 'in_review', review_code: code, credited_at: null },
    ])
    expect((await key.get('/v1/events?type=deposit.in_review')).data).toHaveLength(1)
    expect(await key.available()).toBe('1000.000000')
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

describe('a bad request', () => {
  const seconds = 'must be a whole number from 1 to 31536000'
  test.each([
    ['/v1/mock/clock/advance', {}, 'seconds', `is required and ${seconds}`],
    ['/v1/mock/clock/advance', { seconds: 0 }, 'seconds', seconds],
    ['/v1/mock/clock/advance', { seconds: -5 }, 'seconds', seconds],
    ['/v1/mock/clock/advance', { seconds: 1.5 }, 'seconds', seconds],
    ['/v1/mock/clock/advance', { seconds: '5' }, 'seconds', seconds],
    ['/v1/mock/clock/advance', [], 'body', 'must be a JSON object'],
    ['/v1/mock/clock/advance?a=1', { seconds: 1 }, 'a', 'is not allowed'],
    ['/v1/mock/deposits', {}, 'amount', 'is required and must be a decimal string'],
    ['/v1/mock/deposits', { amount: '0' }, 'amount', 'must be a decimal string above 0'],
    ['/v1/mock/deposits', { amount: 5 }, 'amount', 'must be a decimal string above 0'],
    ['/v1/mock/deposits', { amount: '1', to: 'x' }, 'to', 'is not allowed'],
  ])('%s %j is a 400 that names %s', async (path, body, field, rule) => {
    const reply = await example.newKey().post(path, body)
    const { error } = reply.json

    expect(reply.status).toBe(400)
    expect(error.code).toBe('VALIDATION_FAILED')
    expect(error.details).toEqual([{ field, message: expect.stringContaining(rule) }])
    expect(error.message).toContain(`${field} ${rule}`)
    expect(error.request_id).toBe(reply.headers.get('X-Request-Id'))
  })

  test.each(['/v1/mock/clock/advance', '/v1/mock/deposits'])('%s takes POST only, with a key', async (path) => {
    const { key } = example.newKey()
    const read = await example.ask('GET', path, { key })
    expect(read).toMatchObject({ status: 405, json: { error: { code: 'METHOD_NOT_ALLOWED' } } })
    expect(read.headers.get('Allow')).toBe('POST')
    expect(await example.ask('POST', path, { body: {} })).toMatchObject({ status: 401 })
  })
})

test('the served document has the operations of the example server', async () => {
  const { json } = await example.ask('GET', '/v1/openapi.json')
  expect(Object.keys(json.paths)).toEqual(
    expect.arrayContaining(['/v1/payouts', '/v1/mock/clock/advance', '/v1/mock/deposits']),
  )
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
