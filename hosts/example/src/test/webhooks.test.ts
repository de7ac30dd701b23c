import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyWebhook } from '@quipu/core'
import { type Json, type TestExample, testExample, type TestKey, until } from './example.fixture.ts'
import { type Received, type Receiver, startReceiver } from './receiver.fixture.ts'

const bodyOf = ({ body }: Received): Json => JSON.parse(Buffer.from(body).toString())
const pathsOf = ({ received }: Receiver): string[] => received.map(({ path }) => path)

describe('webhooks', () => {
  let example: TestExample
  let receiver: Receiver
  beforeEach(async () => {
    // Real time stands still, but for what a test lets pass.
    example = await testExample({}, 'stopped')
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await example.stop()
    await receiver.stop()
  })

  const register = async (key: TestKey, host: 'localhost' | '127.0.0.1', path: string) =>
    (await key.post('/v1/webhooks', { url: receiver.urlAt(host, path) })).json

  test('an event of a payment is signed with real time, whatever the key’s clock', async () => {
    const key = example.newKey()
    const { secret } = await register(key, '127.0.0.1', '/hook')
    await key.advance(86_400)

    const { json } = await key.pay('MOCK:OPEN')
    await receiver.until(1)

    const [first] = receiver.received
    if (!first) throw new Error('nothing was received')
    const signature = String(first.headers['x-service-signature'])
    expect(verifyWebhook([secret], signature, first.body, example.realNow())).toBeNull()
    expect(verifyWebhook(['whsec_other'], signature, first.body, example.realNow())).toBe('mismatch')
    expect(bodyOf(first)).toMatchObject({ type: 'payout.completed', event_version: 1, data: json })
    expect(first.headers['x-service-event-id']).toBe(bodyOf(first).id)
  })

  test('a payment that takes the balance below the threshold sends an event by name only', async () => {
    const key = example.newKey()
    const urls = ['/all', '/low'].map((path) => receiver.urlAt('127.0.0.1', path))
    await key.post('/v1/webhooks', { url: urls[0] })
    await key.post('/v1/webhooks', { url: urls[1], events: ['wallet.balance_low'] })
    await example.ask('PATCH', '/v1/wallets', { key: key.key, body: { low_balance_threshold: '1000' } })
    await key.pay('MOCK:OPEN')
    await receiver.until(1)
    example.pass(1_000)
    await receiver.until(2)

    const sent = receiver.received.map((each) => `${each.path} ${bodyOf(each).type}`)
    expect(sent.toSorted()).toEqual(['/all payout.completed', '/low wallet.balance_low'])
  })

  test('a key has two endpoints at most', async () => {
    const key = example.newKey()
    await register(key, '127.0.0.1', '/1')
    await register(key, '127.0.0.1', '/2')

    const third = await key.post('/v1/webhooks', { url: receiver.urlAt('127.0.0.1', '/3') })

    expect(third).toMatchObject({ status: 409, json: { error: { code: 'WEBHOOK_LIMIT_REACHED' } } })
    const { json } = await example.ask('GET', '/v1/openapi.json')
    expect(json.paths['/v1/webhooks'].post.description).toContain('At most 2 endpoints.')
  })

  test('a key gets one delivery a second, without delaying others', async () => {
    const [busy, calm] = [example.newKey(), example.newKey()]
    await register(busy, '127.0.0.1', '/busy')
    await register(calm, 'localhost', '/calm')
    await busy.pay('MOCK:OPEN')
    await busy.pay('MOCK:OPEN')
    await receiver.until(1)

    await calm.pay('MOCK:OPEN')
    await receiver.until(2)
    expect(pathsOf(receiver)).toEqual(['/busy', '/calm'])

    example.pass(1_000)
    await receiver.until(3)
    expect(pathsOf(receiver)).toEqual(['/busy', '/calm', '/busy'])
  })

  test('a host gets five deliveries a second, evenly, whatever the keys', async () => {
    const [one, two, other] = [example.newKey(), example.newKey(), example.newKey()]
    await register(one, '127.0.0.1', '/one')
    await register(two, '127.0.0.1', '/two')
    await register(other, 'localhost', '/other')
    await one.pay('MOCK:OPEN')
    await receiver.until(1)

    await two.pay('MOCK:OPEN')
    await other.pay('MOCK:OPEN')
    await receiver.until(2)
    expect(pathsOf(receiver)).toEqual(['/one', '/other'])

    example.pass(200)
    await receiver.until(3)
    expect(pathsOf(receiver)).toEqual(['/one', '/other', '/two'])
  })

  test('a test is sent at once, within the same rate limit', async () => {
    const key = example.newKey()
    const { id } = await register(key, '127.0.0.1', '/hook')
    const send = () => key.post(`/v1/webhooks/${id}/test`)

    expect(await send()).toMatchObject({ status: 200, json: { delivered: true, status_code: 200 } })
    const second = await send()
    expect(second).toMatchObject({ status: 429, json: { error: { code: 'RATE_LIMITED' } } })
    expect(second.headers.get('Retry-After')).toBe('1')
    example.pass(1_000)
    expect(await send()).toMatchObject({ status: 200, json: { delivered: true } })
    expect(bodyOf(receiver.received[0] as Received)).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } })
  })

  test('the documents’ receiver is this server: its events arrive, and can be sent again', async () => {
    const key = example.newKey()
    const { id } = (await key.post('/v1/webhooks', { url: 'https://example.com/quipu' })).json
    await key.pay('MOCK:OPEN')
    const path = `/v1/webhooks/${id}/deliveries`
    const [delivery] = await until(
      async () => (await key.get(path)).data as Json[],
      ([found]) => found?.status === 'delivered',
    )
    expect(delivery).toMatchObject({ attempts: [{ error: null, status_code: 204 }] })
    const resent = await key.post(`${path}/${delivery.id}/resend`)
    expect([resent.status, resent.json.status]).toEqual([202, 'pending'])
    for (const _ of [1, 2]) expect((await key.post(`/v1/webhooks/${id}/test`)).json).toMatchObject({ delivered: true })
    expect(receiver.received).toEqual([])
  })

  test('a failed delivery is retried by the key’s clock', async () => {
    const key = example.newKey()
    const { id } = await register(key, '127.0.0.1', '/hook')
    receiver.status = 500
    await key.pay('MOCK:OPEN')
    const path = `/v1/webhooks/${id}/deliveries`
    const attempts = async () => (await key.get(path)).data[0].attempts as Json[]
    await until(attempts, ({ length }) => length === 1)

    receiver.status = 200
    example.pass(1_000)
    await key.advance(40)
    await until(attempts, ({ length }) => length === 2)

    expect((await key.get(path)).data).toMatchObject([
      { status: 'delivered', attempts: [{ error: 'STATUS', status_code: 500 }, { error: null }] },
    ])
    expect(bodyOf(receiver.received[1] as Received)).toEqual(bodyOf(receiver.received[0] as Received))
  })
})
