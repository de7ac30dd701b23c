import { publicOpenApi } from '@quipu/wire'
import { describe, expect, test } from 'vitest'
import { type Quipu, QuipuError, quipu } from '../index.ts'
import { baseUrl, json, noContent, raw, refusal, scripted } from '../scripted-fetch.fixture.ts'

const qr = { amount_mode: 'open' } as const
const payout = { transaction_id: '1', type: 'qr', quote_id: '2', qr: { content: '3' } } as const
const faucet = { chain: 'tron', address: 'T1', amount: '1.00' } as const

/** Every endpoint with the call that reaches it, and the body that it sends. */
const calls: Record<string, [(client: Quipu) => Promise<unknown>, unknown?]> = {
  'POST /v1/payouts': [({ payouts }) => payouts.create(payout), payout],
  'GET /v1/payouts': [({ payouts }) => payouts.list().page()],
  'GET /v1/payouts/{id}': [({ payouts }) => payouts.get('{id}')],
  'POST /v1/payouts/qr/resolve': [
    ({ payouts }) => payouts.resolveQr({ content: 'MOCK:OPEN' }),
    { content: 'MOCK:OPEN' },
  ],
  'POST /v1/quotes': [({ quotes }) => quotes.create({ resolution_id: '1' }), { resolution_id: '1' }],
  'GET /v1/quotes/{id}': [({ quotes }) => quotes.get('{id}')],
  'GET /v1/wallets': [({ wallets }) => wallets.get()],
  'PATCH /v1/wallets': [
    ({ wallets }) => wallets.update({ low_balance_threshold: '1' }),
    { low_balance_threshold: '1' },
  ],
  'GET /v1/wallets/transactions': [({ wallets }) => wallets.transactions().page()],
  'GET /v1/wallets/reconciliation': [({ wallets }) => wallets.reconciliation()],
  'GET /v1/statements': [({ wallets }) => wallets.statements().page()],
  'GET /v1/statements/{period}': [({ wallets }) => wallets.statement('{period}').page()],
  'GET /v1/api-keys': [({ apiKeys }) => apiKeys.list().page()],
  'GET /v1/api-keys/current': [({ apiKeys }) => apiKeys.current()],
  'POST /v1/api-keys/{id}/rotate': [
    ({ apiKeys }) => apiKeys.rotate('{id}', { overlap_seconds: 0 }),
    { overlap_seconds: 0 },
  ],
  'POST /v1/api-keys/{id}/revoke': [({ apiKeys }) => apiKeys.revoke('{id}')],
  'GET /v1/requests': [({ requests }) => requests.list().page()],
  'GET /v1/deposits': [({ deposits }) => deposits.list().page()],
  'GET /v1/deposits/{id}': [({ deposits }) => deposits.get('{id}')],
  'POST /v1/webhooks': [({ webhooks }) => webhooks.create({ url: 'https://a' }), { url: 'https://a' }],
  'GET /v1/webhooks': [({ webhooks }) => webhooks.list().page()],
  'GET /v1/webhooks/{id}': [({ webhooks }) => webhooks.get('{id}')],
  'PATCH /v1/webhooks/{id}': [({ webhooks }) => webhooks.update('{id}', { events: ['*'] }), { events: ['*'] }],
  'DELETE /v1/webhooks/{id}': [({ webhooks }) => webhooks.delete('{id}')],
  'POST /v1/webhooks/{id}/test': [({ webhooks }) => webhooks.test('{id}')],
  'POST /v1/webhooks/{id}/replay': [
    ({ webhooks }) => webhooks.replay('{id}', { since: '2026-11-20T00:00:00Z' }),
    { since: '2026-11-20T00:00:00Z' },
  ],
  'POST /v1/webhooks/{id}/pause': [({ webhooks }) => webhooks.pause('{id}')],
  'POST /v1/webhooks/{id}/reactivate': [({ webhooks }) => webhooks.reactivate('{id}')],
  'POST /v1/webhooks/{id}/rotate-secret': [({ webhooks }) => webhooks.rotateSecret('{id}')],
  'GET /v1/webhooks/{id}/deliveries': [({ webhooks }) => webhooks.deliveries.list('{id}').page()],
  'GET /v1/webhooks/{id}/deliveries/{delivery_id}': [
    ({ webhooks }) => webhooks.deliveries.get('{id}', '{delivery_id}'),
  ],
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/resend': [
    ({ webhooks }) => webhooks.deliveries.resend('{id}', '{delivery_id}'),
  ],
  'GET /v1/events': [({ events }) => events.list().page()],
  'GET /v1/events/{id}': [({ events }) => events.get('{id}')],
  'POST /v1/sandbox/qr-codes': [({ sandbox }) => sandbox.createQrCode(qr), qr],
  'POST /v1/sandbox/faucet': [({ sandbox }) => sandbox.faucet(faucet), faucet],
  'GET /v1/sandbox/faucet/{id}': [({ sandbox }) => sandbox.faucetSend('{id}')],
  'GET /healthz': [({ service }) => service.health()],
  'GET /v1/status': [({ service }) => service.status()],
  'GET /readyz': [({ service }) => service.readiness()],
  'GET /v1/openapi.json': [({ service }) => service.openApi()],
}

test('the client has a method for every endpoint of the document, and no other', () => {
  const documented = Object.entries(publicOpenApi().paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(Object.keys(calls).sort()).toEqual(documented.sort())
})

test('every method of the client reaches an endpoint', async () => {
  const used = new Set<string>()
  const watched = (part: object, path: string): object =>
    new Proxy(part, {
      get(target, name: string) {
        const value = Reflect.get(target, name) as unknown
        if (typeof value === 'function') used.add(`${path}.${name}`)
        return typeof value === 'object' && value ? watched(value, `${path}.${name}`) : value
      },
    })
  const { client } = scripted([json(200, { data: [], next_cursor: null, id: 'one', status: 'answered' })], {
    retries: 0,
  })
  for (const [call] of Object.values(calls)) await call(watched(client, '') as Quipu).catch(() => undefined)
  const methodsOf = (part: object, path: string): string[] =>
    Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value ? methodsOf(value, `${path}.${name}`) : [`${path}.${name}`],
    )
  const composed = new Set(['.payouts.createAndWait', '.wallets.statementCsv'])
  const methods = methodsOf(client, '').filter((name) => !composed.has(name))
  expect([...used].sort()).toEqual(methods.sort())
})

test.each(Object.entries(calls))('%s is requested as documented', async (endpoint, [call, body]) => {
  const isEmpty = /^DELETE|revoke$/.test(endpoint)
  const { client, sent } = scripted([isEmpty ? noContent : json(200, { id: 'one', status: 'answered' })])
  const answer = await call(client)
  expect(answer).toEqual(isEmpty ? undefined : { id: 'one', status: 'answered' })
  expect(sent).toHaveLength(1)
  const [{ method, url, headers, body: text }] = sent as [(typeof sent)[number]]
  expect(`${method} ${decodeURIComponent(url)}`).toBe(endpoint)
  expect(headers.get('x-api-key')).toBe('qpu_test_key')
  expect(text).toBe(body && JSON.stringify(body))
  expect(headers.get('content-type')).toBe(body ? 'application/json' : null)
})

describe('a request', () => {
  test('has the given filters, and no others', async () => {
    const { client, sent } = scripted([json(200, { data: [], next_cursor: null, id: 'one', status: 'answered' })])
    const to = new Date('2026-03-02T12:00:00Z')
    await client.payouts.list({ status: 'failed', from: '2026-03-01T00:00:00-04:00', to, limit: 7 }).page()
    await client.payouts.list({ status: undefined, cursor: 'abc' }).page()
    expect(sent.map(({ url }) => url)).toEqual([
      '/v1/payouts?status=failed&from=2026-03-01T00%3A00%3A00-04%3A00&to=2026-03-02T12%3A00%3A00.000Z&limit=7',
      '/v1/payouts?cursor=abc',
    ])
  })

  test.each(['', '.', '..'])('refuses the id %j, which would change the path', async (id) => {
    const { client, sent } = scripted([json(200, {})])
    await expect(client.webhooks.delete(id)).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })

  test('encodes an id, so that it cannot change the path', async () => {
    const { client, sent } = scripted([json(200, {})])
    await client.payouts.get('../wallets?x#y')
    expect(sent[0]?.url).toBe('/v1/payouts/..%2Fwallets%3Fx%23y')
  })

  test.each([
    'http://127.0.0.1:4000',
    'http://127.8.9.1',
    'http://localhost:4000/quipu',
    'http://[::1]:4000',
    'https://a.example/',
    'https://a.example/quipu/',
  ])('is sent below the base URL %s', async (base) => {
    const { client, sent } = scripted([json(200, {})], { baseUrl: base })
    await client.wallets.get()
    expect(sent[0]?.url).toBe(`${base.replace(/\/$/, '')}/v1/wallets`)
  })

  test.each([
    '',
    'a.example',
    'ftp://a.example',
    'https://u:p@a.example',
    'https://a.example?x=1',
    'https://a.example/v1',
    'https://a.example:99999',
  ])('refuses the base URL %j', (base) => {
    expect(() => quipu({ apiKey: 'key', baseUrl: base })).toThrow(/baseUrl/)
  })

  test.each([
    'http://a.example',
    'http://127.0.0.1.a.example',
    'http://localhost.a.example',
    'http://api.localhost:4000',
    'http://10.0.0.1:4000',
    'http://0.0.0.0:4000',
    'http://[fd00::1]',
    'http://[::ffff:10.0.0.1]',
  ])('the key is not sent unencrypted to %s', (base) => {
    const make = (): Quipu => quipu({ apiKey: 'qpu_live_key', baseUrl: base })
    expect(make).toThrow(
      `baseUrl must begin with https://, or name a loopback address: ${base} would carry the API key unencrypted`,
    )
  })

  test.each(['', 'qpu_test_a\nb', 'qpu tést'])('refuses the key %j without showing it', (apiKey) => {
    const make = (): Quipu => quipu({ apiKey, baseUrl })
    expect(make).toThrow(/apiKey/)
    if (apiKey) expect(make).not.toThrow(apiKey)
  })
})

describe('an answer', () => {
  test('keeps unknown members and codes', async () => {
    const unknown = { id: 'po_1', status: 'reversed', mood: 'good', error: { code: 'NEW', message: '' } }
    const { client } = scripted([json(200, unknown)])
    expect(await client.payouts.get('po_1')).toEqual(unknown)
  })

  test('of an error has all of its members', async () => {
    const details = [{ field: 'qr.content', message: 'is required' }]
    const body = { code: 'BRAND_NEW', message: 'Not so.', details, payout_id: 'po_1', request_id: 'req_9' }
    const { client } = scripted([json(418, { error: body })])
    const error = await client.payouts.get('po_1').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(QuipuError)
    expect(error).toMatchObject({
      name: 'QuipuError',
      message: 'Not so. (418 BRAND_NEW, req_9)',
      status: 418,
      code: 'BRAND_NEW',
      details,
      payoutId: 'po_1',
      requestId: 'req_9',
      retryAfter: undefined,
      uncertain: false,
    })
  })

  test.each(['<html>', '', 'null', '{}', '{"error":"no"}', '{"error":{}}', '[]'])(
    '%j, which is not from the API, is reported as such',
    async (text) => {
      const { client, sent } = scripted([raw(403, text)])
      const error = await client.wallets.get().catch((reason: unknown) => reason)
      expect(error).toMatchObject({ status: 403, code: 'UNEXPECTED_ANSWER', details: [] })
      expect(error).toMatchObject({ requestId: sent[0]?.headers.get('x-request-id') })
    },
  )

  test('not_ready is an answer', async () => {
    const notReady = { status: 'not_ready', checks: { database: 'failing' } }
    const { client } = scripted([json(503, notReady)])
    expect(await client.service.readiness()).toEqual(notReady)
    const down = scripted([refusal(503, 'SERVICE_UNAVAILABLE')], { retries: 0 })
    await expect(down.client.service.readiness()).rejects.toThrow('SERVICE_UNAVAILABLE')
  })
})

describe('a list', () => {
  const page = (data: number[], next_cursor: string | null) => json(200, { data, next_cursor })
  const cursors = (sent: readonly { readonly url: string }[]): (string | null)[] =>
    sent.map(({ url }) => new URL(url, baseUrl).searchParams.get('cursor'))

  test('iterates to its end, each page with the same filters', async () => {
    const { client, sent } = scripted([page([1, 2], 'a'), page([], 'b'), page([3], null)])
    const found: unknown[] = []
    for await (const each of client.payouts.list({ status: 'failed', limit: 2 })) found.push(each)
    expect(found).toEqual([1, 2, 3])
    expect(cursors(sent)).toEqual([null, 'a', 'b'])
    expect(sent.every(({ url }) => url.includes('status=failed') && url.includes('limit=2'))).toBe(true)
  })

  test('reads no pages beyond the iteration', async () => {
    const { client, sent } = scripted([page([1, 2], 'a'), page([3], null)])
    for await (const each of client.deposits.list()) if (Number(each) === 2) break
    expect(sent).toHaveLength(1)
  })

  test('reads page by page from a cursor', async () => {
    const { client, sent } = scripted([page([1], 'b')])
    expect(await client.webhooks.deliveries.list('we_1', { cursor: 'a' }).page()).toEqual({
      data: [1],
      next_cursor: 'b',
    })
    expect(cursors(sent)).toEqual(['a'])
  })

  test('can be iterated twice, from the start', async () => {
    const { client, sent } = scripted([page([1], null)])
    const list = client.wallets.transactions()
    for (const _ of [1, 2]) for await (const each of list) expect(each).toBe(1)
    expect(cursors(sent)).toEqual([null, null])
  })

  test('stops when it is aborted', async () => {
    const called = new AbortController()
    const { client, sent } = scripted([page([1], 'a')])
    const walk = async (): Promise<void> => {
      for await (const _ of client.events.list({}, { signal: called.signal })) called.abort(new Error('enough'))
    }
    await expect(walk()).rejects.toThrow('enough')
    expect(sent).toHaveLength(1)
  })
})

test('a statement as CSV is read again until its last row has arrived', async () => {
  const [opening, closing] = ['record\nopening,1.00\n', 'closing,1.00\n']
  const { client, sent } = scripted([raw(200, opening), raw(200, opening + closing)], { retryDelayMs: 1 })
  const query = { timezone: 'America/La_Paz' } as const
  expect(await client.wallets.statementCsv('2026-11', query)).toBe(opening + closing)
  expect(sent.map(({ url, headers }) => [url, headers.get('accept')])).toEqual(
    [1, 2].map(() => ['/v1/statements/2026-11?timezone=America%2FLa_Paz&format=csv', 'text/csv']),
  )
  const cut = scripted([raw(200, opening)], { retries: 0 }).client.wallets.statementCsv('2026-11')
  await expect(cut).rejects.toMatchObject({ name: 'QuipuConnectionError', uncertain: false })
})

test('all pages of a statement are one, with the balances of the period', async () => {
  const page = (row: number, next_cursor: string | null) =>
    json(200, { closing_balance: '3', data: [row], next_cursor })
  const { client } = scripted([page(1, 'b'), page(2, null)])
  expect(await client.wallets.statement('2026-11').whole()).toEqual({
    closing_balance: '3',
    data: [1, 2],
    next_cursor: null,
  })
})
