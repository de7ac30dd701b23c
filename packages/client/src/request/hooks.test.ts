import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AnswerInfo, CallOptions, QuipuHooks } from '../index.ts'
import { json, lost, refusal, scripted, type Step } from '../scripted-fetch.fixture.ts'

const wallet = json(200, { available: '1.000000' })

/** A client whose hooks record their calls. */
function recorded(steps: readonly Step[], hooks: QuipuHooks = {}) {
  const calls: [string, object][] = []
  const { client, sent } = scripted(steps, {
    retryDelayMs: 1,
    hooks: {
      onRequest: (info) => void calls.push(['request', info]),
      onResponse: (info) => void calls.push(['response', { ...info, durationMs: undefined }]),
      onRetry: (info) => void calls.push(['retry', info]),
      ...hooks,
    },
  })
  return { client, sent, calls }
}

describe('hooks', () => {
  test('are called for every attempt, with one request id and without the id of the path', async () => {
    const { client, calls } = recorded([lost, refusal(503, 'SERVICE_UNAVAILABLE'), wallet])
    await client.payouts.get('po_1')
    const call = { operation: 'getPayout', method: 'GET', path: '/v1/payouts/{id}' }
    const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const attempt = (made: number) => ({ ...call, requestId, attempt: made })
    const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })
    const ended = expect.objectContaining({ name: 'QuipuConnectionError' })
    const delayMs = expect.any(Number)
    const facts = { replayed: false, rateLimit: undefined }
    expect(calls).toEqual([
      ['request', attempt(1)],
      ['response', { ...attempt(1), ...facts, status: undefined, error: ended }],
      ['retry', { ...attempt(1), delayMs, error: ended }],
      ['request', attempt(2)],
      ['response', { ...attempt(2), ...facts, status: 503, error: unavailable }],
      ['retry', { ...attempt(2), delayMs, error: unavailable }],
      ['request', attempt(3)],
      ['response', { ...attempt(3), ...facts, status: 200, error: undefined }],
    ])
    expect(new Set(calls.map(([, info]) => (info as { requestId: string }).requestId)).size).toBe(1)
  })

  test('learn how long an attempt took', async () => {
    let nowMs = 1_000
    const now = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    onTestFinished(() => now.mockRestore())
    const slow: Step = () => {
      nowMs += 250
      return wallet()
    }
    const durations: number[] = []
    const onResponse: QuipuHooks['onResponse'] = ({ durationMs }) => void durations.push(durationMs)
    await recorded([slow], { onResponse }).client.wallets.get()
    expect(durations).toEqual([250])
  })

  test('pass a traceparent on, and cannot replace the headers of the client', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const { client, sent } = recorded([wallet], {
      onRequest: () => ({ traceparent, 'X-Api-KEY': 'another', 'x-request-id': 'mine' }),
    })
    await client.wallets.get()
    const headers = Object.fromEntries(sent[0]?.headers ?? [])
    expect(headers).toMatchObject({ traceparent, 'x-api-key': 'qpu_test_key' })
    expect(headers['x-request-id']).not.toContain('mine')
  })

  test('that throw are written to the console, and fail no call', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => written.mockRestore())
    const failing = (): never => {
      throw new Error('the log is full')
    }
    const hooks = { onRequest: failing, onResponse: failing, onRetry: failing }
    const { client } = recorded([lost, wallet], hooks)
    expect(await client.wallets.get()).toEqual({ available: '1.000000' })
    expect(written).toHaveBeenCalledTimes(5)
  })

  test('learn that a caller has aborted its call', async () => {
    const caller = new AbortController()
    const { client, calls } = recorded([
      () => {
        queueMicrotask(() => caller.abort(new Error('the user has left')))
        return new Promise<never>(() => undefined)
      },
    ])
    await expect(client.wallets.get({}, { signal: caller.signal })).rejects.toThrow('the user has left')
    expect(calls.at(-1)).toMatchObject(['response', { error: { message: 'the user has left' } }])
  })
})

describe('onAnswer', () => {
  const limited = { 'RateLimit-Policy': '"writes";q=100;w=1', RateLimit: '"writes";r=98;t=1' }

  test('says what the answer that is returned repeats, and what is left of the limit', async () => {
    const paid = { id: 'po_1', status: 'completed' }
    const { client } = scripted([lost, json(201, paid, { ...limited, 'Idempotent-Replayed': 'true' })])
    const answers: AnswerInfo[] = []
    const order = { transaction_id: '1', type: 'qr', quote_id: '2', qr: { content: '3' } } as const
    expect(await client.payouts.createAndWait(order, { onAnswer: (answer) => answers.push(answer) })).toEqual(paid)
    const rateLimit = { name: 'writes', perSecond: 100, remaining: 98, resetSeconds: 1 }
    const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(answers).toMatchObject([{ operation: 'createPayout', attempt: 2, replayed: true, rateLimit, requestId }])
  })

  test('is called for each page, and not for a failure, whose error has the request id', async () => {
    const page = (next_cursor: string | null) => json(200, { data: [1], next_cursor })
    const { client } = scripted([page('2'), page(null), refusal(401, 'AUTHENTICATION_FAILED')])
    const statuses: (number | undefined)[] = []
    const options: CallOptions = { onAnswer: ({ status }) => statuses.push(status) }
    expect(await client.events.list({}, options).whole()).toEqual({ data: [1, 1], next_cursor: null })
    await expect(client.wallets.get({}, options)).rejects.toMatchObject({ requestId: 'req_1' })
    expect(statuses).toEqual([200, 200])
  })
})

describe('an error', () => {
  const errorOf = async (step: Step): Promise<unknown> =>
    scripted([step], { retries: 0 })
      .client.wallets.get()
      .catch((error: unknown) => error)

  test('names the explanation of its code on the page of the service', async () => {
    expect(await errorOf(refusal(403, 'SCOPE_REQUIRED'))).toMatchObject({
      docUrl: 'https://api.example.com/docs#error-SCOPE_REQUIRED',
      retryable: false,
    })
    const doc_url = 'https://docs.example.com/scopes'
    const body = { error: { code: 'SCOPE_REQUIRED', message: 'No.', request_id: 'r', doc_url } }
    expect(await errorOf(json(403, body))).toMatchObject({ docUrl: doc_url })
  })

  test('says whether the same request can succeed later', async () => {
    const limited = refusal(429, 'RATE_LIMITED', { 'retry-after': '3' })
    expect(await errorOf(limited)).toMatchObject({ retryable: true, retryAfter: 3 })
    expect(await errorOf(refusal(503, 'NETWORK_UNAVAILABLE'))).toMatchObject({ retryable: true })
  })

  test('of a proxy has no explanation', async () => {
    const page: Step = async () => new Response('<html>', { status: 404 })
    expect(await errorOf(page)).toMatchObject({ code: 'UNEXPECTED_ANSWER', docUrl: undefined })
  })
})
