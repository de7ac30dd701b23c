import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type CallOptions,
  type PayoutRequest,
  type Quipu,
  QuipuConnectionError,
  QuipuError,
  QuipuTimeoutError,
} from '../index.ts'
import { retryRules } from './retry.ts'
import {
  json,
  lost,
  noContent,
  outcomeOf,
  raw,
  refusal,
  scripted,
  silent,
  type Step,
  unreachable,
} from '../scripted-fetch.fixture.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  vi.spyOn(Math, 'random').mockReturnValue(1)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const body: PayoutRequest = {
  transaction_id: 'order-1',
  type: 'qr',
  quote_id: '019aa1f4-5108-7000-8000-00000000000a',
  qr: { content: 'MOCK:OPEN' },
}
const paid = json(201, { id: 'po_1', status: 'completed' })
const pay =
  (options?: CallOptions) =>
  (client: Quipu): Promise<unknown> =>
    client.payouts.create(body, options)

describe('a payout', () => {
  test.each<[string, Step]>([
    ['is unreachable', unreachable],
    ['loses the connection', lost],
    ['never answers', silent],
    ['refuses it with 429', refusal(429, 'RATE_LIMITED', { 'retry-after': '1' })],
    ['answers 503 OPERATION_UNCERTAIN', refusal(503, 'OPERATION_UNCERTAIN')],
    ['answers 503 SERVICE_UNAVAILABLE', refusal(503, 'SERVICE_UNAVAILABLE')],
    ['answers a 503 with an unknown code', refusal(503, 'MOON_FULL')],
    ['answers 500', refusal(500, 'INTERNAL_ERROR')],
    ['is hidden by a proxy that answers 502', raw(502, '<html>')],
    ['is hidden by a proxy that answers 504', raw(504, '')],
    ['answers 201 with half a body', raw(201, '{"id":"po_1","sta')],
    ['answers 200 with a page', raw(200, '<html>Pay for this network</html>')],
    ['answers 204', noContent],
    ['answers 201 with null', json(201, null)],
    ['answers 201 with {}', raw(201, '{}')],
    ['answers 201 without an id', json(201, { status: 'completed' })],
    ['answers 201 without a status', json(201, { id: 'po_1' })],
    ['answers 200 with a list', json(200, [paid])],
    ['answers 200 with an error', refusal(200, 'INTERNAL_ERROR')],
    ['is hidden by a proxy that answers 201 with other JSON', json(201, { status: 'ok' })],
    ['is hidden by a proxy that answers 408', raw(408, '')],
    ['is hidden by a proxy that answers 429', raw(429, '<html>')],
    ['is hidden by a proxy that redirects', raw(302, '')],
    ['is hidden by a proxy that answers 304', async () => new Response(null, { status: 304 })],
    [
      'refuses it with 429 until a date',
      refusal(429, 'RATE_LIMITED', { 'retry-after': new Date(Date.now() + 1_000).toUTCString() }),
    ],
    ['answers 503 with a Retry-After that is none', refusal(503, 'OPERATION_UNCERTAIN', { 'retry-after': 'soon' })],
  ])('is sent again, byte for byte, when the API %s', async (_, step) => {
    const { client, sent } = scripted([step, step, paid])
    expect(await outcomeOf(pay()(client))).toEqual({ id: 'po_1', status: 'completed' })
    expect(sent).toHaveLength(3)
    const [first] = sent
    for (const { method, url, headers, body: text, redirect } of sent) {
      expect([method, url, redirect]).toEqual(['POST', '/v1/payouts', 'manual'])
      expect([...headers]).toEqual([...(first?.headers ?? [])])
      expect(text).toBe(JSON.stringify(body))
    }
    expect(Object.fromEntries(first?.headers ?? [])).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^quipu-client\/\d+\.\d+\.\d+ Node\.js\/\d+$/),
      'x-api-key': 'qpu_test_key',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test.each([
    [400, 'VALIDATION_FAILED'],
    [401, 'AUTHENTICATION_FAILED'],
    [404, 'QUOTE_NOT_FOUND'],
    [409, 'QUOTE_EXPIRED'],
    [409, 'TRANSACTION_ID_REUSED'],
    [422, 'PAYOUT_TYPE_NOT_AVAILABLE'],
  ])('is not sent again after %i %s', async (status, code) => {
    const { client, sent } = scripted([refusal(status, code), paid])
    const error = await outcomeOf(pay()(client))
    expect(error).toBeInstanceOf(QuipuError)
    expect(error).toMatchObject({ status, code, uncertain: false })
    expect(sent).toHaveLength(1)
  })

  test.each<[string, Step, boolean]>([
    ['408', raw(408, ''), true],
    ['429', raw(429, '<html>'), true],
    ['500', raw(500, ''), true],
    ['429 RATE_LIMITED', refusal(429, 'RATE_LIMITED'), false],
    ['503 RATE_UNAVAILABLE', refusal(503, 'RATE_UNAVAILABLE'), false],
    ['503 NETWORK_UNAVAILABLE', refusal(503, 'NETWORK_UNAVAILABLE'), false],
    ['503 FAUCET_EMPTY', refusal(503, 'FAUCET_EMPTY'), false],
  ])('may have been made after a last answer of %s: %s', async (_, step, uncertain) => {
    const { client } = scripted([step], { retries: 0 })
    expect(await outcomeOf(pay()(client))).toMatchObject({ uncertain })
  })

  test('is retried four times, each delay twice as long', async () => {
    const { client, sent } = scripted([refusal(503, 'OPERATION_UNCERTAIN')])
    const error = await outcomeOf(pay()(client))
    expect(error).toMatchObject({ status: 503, code: 'OPERATION_UNCERTAIN', uncertain: true })
    expect(sent.map(({ afterMs }) => afterMs)).toEqual([0, 250, 750, 1750, 3750])
  })

  test('waits at least half as long with jitter, and never more than 8 s', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { client, sent } = scripted([unreachable], { retries: 7 })
    await outcomeOf(pay()(client))
    const times = sent.map(({ afterMs }) => afterMs)
    const waits = times.slice(1).map((ms, index) => ms - (times[index] ?? 0))
    expect(waits).toEqual([125, 250, 500, 1000, 2000, 4000, 4000])
  })

  test('waits as long as Retry-After says, in seconds or until a date', async () => {
    vi.setSystemTime('2026-03-02T12:00:00Z')
    const date = 'Mon, 02 Mar 2026 12:00:12 GMT'
    const { client, sent } = scripted([
      refusal(429, 'RATE_LIMITED', { 'retry-after': '7' }),
      refusal(503, 'OPERATION_UNCERTAIN', { 'retry-after': date }),
      paid,
    ])
    await outcomeOf(pay()(client))
    // Behind the date there are still 12 − 7.25 s, in whole seconds, and then its own wait.
    expect(sent.map(({ afterMs }) => afterMs)).toEqual([0, 7250, 7250 + 5000 + 500])
  })

  test('fails at once when Retry-After exceeds the deadline', async () => {
    const { client, sent } = scripted([refusal(429, 'RATE_LIMITED', { 'retry-after': '3600' })])
    const error = await outcomeOf(pay()(client))
    expect(error).toMatchObject({ status: 429, retryAfter: 3600, uncertain: false })
    expect(sent).toHaveLength(1)
  })

  test('ends at the deadline, whatever the number of retries', async () => {
    const { client, sent } = scripted([silent])
    const start = performance.now()
    const error = await outcomeOf(pay({ timeoutMs: 70_000, retries: Infinity })(client))
    expect(error).toBeInstanceOf(QuipuTimeoutError)
    expect(error).toMatchObject({ uncertain: true })
    expect(performance.now() - start).toBeLessThanOrEqual(70_100)
    expect(sent).toHaveLength(3) // 30 s each
  })

  test('stays uncertain after a lost answer, whatever the later answers', async () => {
    const { client } = scripted([lost, refusal(401, 'AUTHENTICATION_FAILED')])
    expect(await outcomeOf(pay()(client))).toMatchObject({ status: 401, uncertain: true })
  })

  test('is not uncertain when no attempt connected', async () => {
    const { client } = scripted([unreachable])
    const error = await outcomeOf(pay()(client))
    expect(error).toBeInstanceOf(QuipuConnectionError)
    expect(error).not.toBeInstanceOf(QuipuTimeoutError)
    expect(error).toMatchObject({ uncertain: false, cause: { message: 'fetch failed' } })
  })

  test('aborts at once, while it is sent and while it waits', async () => {
    for (const step of [silent, unreachable]) {
      const called = new AbortController()
      const { client, sent } = scripted([step])
      const paying = pay({ signal: called.signal })(client).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(10)
      called.abort(new Error('enough'))
      expect(await paying).toEqual(new Error('enough'))
      expect(sent).toHaveLength(1)
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  test('removes its listeners from the signal', async () => {
    const { signal } = new AbortController()
    const { client } = scripted([lost, refusal(429, 'RATE_LIMITED'), silent, paid])
    await outcomeOf(pay({ signal })(client))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('is never sent with an aborted signal', async () => {
    const { client, sent } = scripted([paid])
    const options = { signal: AbortSignal.abort(new Error('never')) }
    expect(await outcomeOf(pay(options)(client))).toEqual(new Error('never'))
    expect(sent).toEqual([])
  })
})

describe('an operation that is not idempotent', () => {
  const { createWebhook, rotateWebhookSecret, testWebhook, resendDelivery, rotateOwnApiKey, ...others } = retryRules
  const calls: readonly [string, (client: Quipu) => Promise<unknown>][] = [
    ['a webhook endpoint', ({ webhooks }) => webhooks.create({ url: 'https://a.example' })],
    ['a secret', ({ webhooks }) => webhooks.rotateSecret('we_1', { grace_seconds: 60 })],
    ['a test event', ({ webhooks }) => webhooks.test('we_1')],
    ['a delivery', ({ webhooks }) => webhooks.deliveries.resend('we_1', 'dlv_1')],
    ['a key', ({ apiKeys }) => apiKeys.rotate('key_1', { overlap_seconds: 60 })],
  ]

  test('only five operations are not retried once they may have taken effect', () => {
    const unsent = [createWebhook, rotateWebhookSecret, testWebhook, resendDelivery, rotateOwnApiKey]
    expect(unsent).toEqual(calls.map(() => 'unsent'))
    expect(new Set(Object.values(others))).toEqual(new Set(['always']))
  })

  test.each(calls)('%s is not retried when the answer is lost', async (_, call) => {
    for (const step of [lost, silent, raw(200, 'junk'), raw(429, '<html>'), refusal(503, 'SERVICE_UNAVAILABLE')]) {
      const { client, sent } = scripted([step, json(200, {})])
      expect(await outcomeOf(call(client))).toMatchObject({ uncertain: true })
      expect(sent).toHaveLength(1)
    }
  })

  test.each(calls)('%s is retried when the request had no effect', async (_, call) => {
    for (const step of [unreachable, refusal(429, 'RATE_LIMITED', { 'retry-after': '1' })]) {
      const { client, sent } = scripted([step, json(200, { id: 'x' })])
      expect(await outcomeOf(call(client))).toEqual({ id: 'x' })
      expect(sent).toHaveLength(2)
    }
  })

  test('a webhook endpoint is deleted once, and a lost answer is no error', async () => {
    const gone = refusal(404, 'WEBHOOK_NOT_FOUND')
    const repeated = scripted([lost, gone])
    expect(await outcomeOf(repeated.client.webhooks.delete('we_1'))).toBeUndefined()
    const unknown = scripted([gone])
    expect(await outcomeOf(unknown.client.webhooks.delete('we_1'))).toMatchObject({ status: 404 })
    const plain = scripted([noContent])
    expect(await outcomeOf(plain.client.webhooks.delete('we_1'))).toBeUndefined()
  })

  test('a 204 says that a key is revoked, and no other success does', async () => {
    const { client, sent } = scripted([lost, raw(200, '<html>'), json(200, { id: 'key_1' }), noContent])
    expect(await outcomeOf(client.apiKeys.revoke('key_1'))).toBeUndefined()
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array.from({ length: 4 }, () => 'POST /v1/api-keys/key_1/revoke'),
    )
  })
})

describe('the faucet', () => {
  const request = { chain: 'tron', address: 'T1', amount: '10.00' } as const

  test('keeps its key over retries, and makes a new one for each call', async () => {
    const { client, sent } = scripted([lost, json(201, {}), json(201, {})])
    await outcomeOf(client.sandbox.faucet(request))
    await outcomeOf(client.sandbox.faucet(request))
    const [first, second, third] = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test('uses the given key', async () => {
    const { client, sent } = scripted([json(201, {})])
    await client.sandbox.faucet(request, { idempotencyKey: 'mine' })
    expect(sent[0]?.headers.get('idempotency-key')).toBe('mine')
  })

  test('applies the given options', async () => {
    const { client, sent } = scripted([lost])
    await outcomeOf(client.sandbox.faucet(request, { retries: 1 }))
    expect(sent).toHaveLength(2)
  })

  test.each([
    [429, 'FAUCET_TOO_SOON'],
    [429, 'FAUCET_LIMIT_EXCEEDED'],
    [503, 'FAUCET_EMPTY'],
  ])('is not retried after %i %s: it would refuse again', async (status, code) => {
    const { client, sent } = scripted([refusal(status, code, { 'retry-after': '42' })])
    const error = await outcomeOf(client.sandbox.faucet(request))
    expect(error).toMatchObject({ status, code, retryAfter: 42, uncertain: false })
    expect(sent).toHaveLength(1)
  })
})

test('a timeout longer than a timer can be set for does not end at once', async () => {
  const late: Step = async () => {
    await new Promise((resolve) => setTimeout(resolve, 60_000))
    return paid()
  }
  const longer = 2 ** 31
  const { client, sent } = scripted([late], { attemptTimeoutMs: longer })
  expect(await outcomeOf(pay({ timeoutMs: longer })(client))).toMatchObject({ id: 'po_1' })
  expect(sent).toHaveLength(1)
})

describe('a quote', () => {
  const quote = (client: Quipu): Promise<unknown> => client.quotes.create({ resolution_id: 'qrr_1' })

  test('is retried while there is no rate, and is not uncertain then', async () => {
    const { client, sent } = scripted([refusal(503, 'RATE_UNAVAILABLE')])
    expect(await outcomeOf(quote(client))).toMatchObject({ uncertain: false })
    expect(sent).toHaveLength(5)
  })
})

describe('createAndWait', () => {
  const processing = json(201, { id: 'po_1', status: 'processing' })
  const wait = (client: Quipu, options?: CallOptions): Promise<unknown> => client.payouts.createAndWait(body, options)

  test('polls a payout with backoff until it has ended', async () => {
    const { client, sent } = scripted([processing, processing, processing, processing, paid])
    expect(await outcomeOf(wait(client))).toEqual({ id: 'po_1', status: 'completed' })
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v1/payouts',
      ...Array<string>(4).fill('GET /v1/payouts/po_1'),
    ])
    expect(sent.map(({ afterMs }) => afterMs)).toEqual([0, 500, 1500, 3500, 5500])
  })

  test.each(['completed', 'cancelled', 'rejected', 'failed'])('%s ends the wait', async (status) => {
    const { client, sent } = scripted([json(201, { id: 'po_1', status })])
    expect(await outcomeOf(wait(client))).toMatchObject({ status })
    expect(sent).toHaveLength(1)
  })

  test('an unknown status does not end the wait', async () => {
    const { client } = scripted([json(201, { id: 'po_1', status: 'under_review' }), paid])
    expect(await outcomeOf(wait(client))).toMatchObject({ status: 'completed' })
  })

  test('retries through an outage until its deadline', async () => {
    const outage = Array<Step>(30).fill(refusal(503, 'OPERATION_UNCERTAIN'))
    const { client } = scripted([lost, ...outage, processing, ...outage.slice(0, 3), paid])
    expect(await outcomeOf(wait(client))).toMatchObject({ status: 'completed' })
  })

  test('throws when the payout has not ended in time', async () => {
    const { client } = scripted([processing])
    const error = await outcomeOf(wait(client, { timeoutMs: 20_000 }))
    expect(error).toBeInstanceOf(QuipuTimeoutError)
    expect(error).toMatchObject({ uncertain: true, message: expect.stringContaining('po_1') })
  })

  test('a poll without an answer ends at the deadline', async () => {
    const { client } = scripted([processing, processing, silent])
    const began = performance.now()
    const error = await outcomeOf(wait(client, { timeoutMs: 20_000 }))
    expect(error).toBeInstanceOf(QuipuTimeoutError)
    expect(error).toMatchObject({ uncertain: true })
    expect(performance.now() - began).toBeLessThanOrEqual(20_000)
  })

  test('a payout that cannot be read stays uncertain', async () => {
    const { client } = scripted([processing, refusal(401, 'AUTHENTICATION_FAILED')])
    expect(await outcomeOf(wait(client))).toMatchObject({ status: 401, uncertain: true })
  })

  test('aborts between two polls', async () => {
    const called = new AbortController()
    const { client, sent } = scripted([processing])
    const waiting = wait(client, { signal: called.signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(100)
    called.abort(new Error('enough'))
    expect(await waiting).toEqual(new Error('enough'))
    expect(sent).toHaveLength(1)
  })
})
