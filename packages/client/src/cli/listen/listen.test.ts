import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type FakeApi, openFakeApi } from '../../faults/fake-api.fixture.ts'
import { openServer } from '../../http-server.fixture.ts'
import { QuipuConnectionError, type QuipuEvent, quipu } from '../../index.ts'
import { fetchReceiver } from '../../webhook/fetch.ts'
import { listen, type ListenOptions } from './listen.ts'

const secret = 'whsec_test'

/** @param second  of its recording */
const event = (id: string, second: number): QuipuEvent => {
  const at = new Date(Date.UTC(2026, 2, 2, 12, 0, second)).toISOString()
  const payout = { id: `po_${id}`, transaction_id: `order-${id}`, status: 'completed', error: null }
  const data = payout as QuipuEvent['data']
  return { id, type: 'payout.completed', event_version: 1, occurred_at: at, recorded_at: at, data } as QuipuEvent
}

/** A developer's own server. */
async function openReceiver(secrets: string, answer = 204) {
  const taken: string[] = []
  const onEvent = ({ id }: { readonly id: string }): void => void taken.push(id)
  const receive = fetchReceiver({ secrets, onEvent, onError: () => undefined })
  const server = await openServer(async (request, response) => {
    const headers = Object.entries(request.headers) as [string, string][]
    const body = await text(request)
    const received = await receive(new Request('http://a', { method: 'POST', headers, body }))
    const [status, reason] = [received.status, await received.text()]
    response.writeHead(status === 204 ? answer : status).end(reason)
  })
  onTestFinished(async () => server[Symbol.asyncDispose]())
  return { url: server.url, taken }
}

async function openApi(...events: QuipuEvent[]): Promise<FakeApi> {
  const api = await openFakeApi()
  onTestFinished(async () => api[Symbol.asyncDispose]())
  events.forEach((each) => api.record(each))
  return api
}

async function start(api: FakeApi, forwardTo?: string, more: Partial<ListenOptions> = {}) {
  const lines: string[] = []
  const notices: string[] = []
  const ended = new AbortController()
  const { signal } = ended
  const { events } = quipu({ apiKey: api.apiKey, baseUrl: api.url })
  const begun = Promise.withResolvers<void>()
  const notice = (line: string): void => {
    notices.push(line)
    begun.resolve() // The first one says that it waits for events.
  }
  const print = (line: string): void => void lines.push(line)
  const forward = forwardTo === undefined ? undefined : { url: forwardTo, secret }
  const options = { events, forward, pollMs: 5, signal, isJson: false, print, notice }
  const running = listen({ ...options, ...more })
  const outcome = running.catch((error: unknown) => error)
  onTestFinished(async () => {
    ended.abort(new Error('over'))
    await outcome
  })
  await Promise.race([begun.promise, outcome])
  return { lines, notices, outcome }
}

describe('listen', () => {
  test('forwards new events once, in order, signed', async () => {
    const api = await openApi(event('old', 0), event('just before', 1))
    const { url, taken } = await openReceiver(secret)
    const { lines } = await start(api, url)
    for (let second = 2; second < 12; second++) api.record(event(`new-${second}`, second))
    await expect.poll(() => taken).toHaveLength(10)
    api.record(event('last', 100))
    await expect.poll(() => taken).toHaveLength(11)
    expect(taken).toEqual([...Array.from({ length: 10 }, (_, index) => `new-${index + 2}`), 'last'])
    // The line follows the receiver's answer.
    const line = '2026-03-02T12:01:40.000Z payout.completed po_last order-last completed event last → 204'
    await expect.poll(() => lines.at(-1)).toBe(line)
  })

  test('finds an event that becomes visible after a newer one', async () => {
    const api = await openApi()
    const { url, taken } = await openReceiver(secret)
    await start(api, url)
    api.record(event('second', 30))
    await expect.poll(() => taken).toEqual(['second'])
    api.record(event('first', 29))
    await expect.poll(() => taken).toEqual(['second', 'first'])
  })

  test('starts at --since', async () => {
    const api = await openApi(...Array.from({ length: 250 }, (_, index) => event(`${index}`, index)))
    const { url, taken } = await openReceiver(secret)
    await start(api, url, { since: new Date('2026-03-02T12:00:10Z') })
    await expect.poll(() => taken).toHaveLength(240)
    expect([taken[0], taken.at(-1)]).toEqual(['10', '249'])
  })

  test('polls again only after its pause', async () => {
    const api = await openApi(event('there', 0))
    const { url, taken } = await openReceiver(secret)
    await start(api, url, { since: new Date(0), pollMs: 3_600_000 })
    await expect.poll(() => taken).toEqual(['there'])
    api.record(event('later', 1))
    const { events } = quipu({ apiKey: api.apiKey, baseUrl: api.url })
    // Without the pause it would have polled and forwarded within this time.
    for (let looks = 0; looks < 20; looks++) await events.list().page()
    expect(taken).toEqual(['there'])
  })

  test('waits for a server that is not listening yet', async () => {
    const api = await openApi()
    const gone = await openServer(() => undefined)
    await gone[Symbol.asyncDispose]()
    const { notices } = await start(api, gone.url)
    api.record(event('early', 1))
    await expect.poll(() => notices).toContain(`${gone.url} refuses connections; retrying until it accepts them`)
  })

  test('prints the status of the server’s answer, and continues', async () => {
    const api = await openApi()
    const { url, taken } = await openReceiver(secret, 500)
    const { lines } = await start(api, url)
    api.record(event('a', 1))
    api.record(event('b', 2))
    await expect.poll(() => taken).toEqual(['a', 'b'])
    await expect.poll(() => lines.filter((line) => line.endsWith('→ 500'))).toHaveLength(2)
  })

  test('ends when the key is refused', async () => {
    const api = await openApi()
    const { outcome } = await start({ ...api, apiKey: 'qpu_test_revoked' }, 'http://127.0.0.1:1')
    expect(await outcome).toMatchObject({ code: 'AUTHENTICATION_FAILED' })
  })

  test('shows events without a server, also as JSON', async () => {
    const api = await openApi()
    const { lines } = await start(api, undefined, { isJson: true })
    const paid = event('paid', 1)
    api.record(paid)
    await expect.poll(() => lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toEqual(paid)
  })

  test('continues after an outage of the API', async () => {
    const api = await openApi()
    const { events } = quipu({ apiKey: api.apiKey, baseUrl: api.url, retries: 0 })
    const lost = new QuipuConnectionError('No connection', { requestId: 'r', uncertain: false })
    let outages = 2
    const list: typeof events.list = (...query) => {
      // The first call, without an instant, finds where to begin.
      if (query[0]?.from === undefined || outages === 0) return events.list(...query)
      outages -= 1
      throw lost
    }
    const since = new Date('2026-03-02T12:00:00Z')
    const { lines, notices } = await start(api, undefined, { events: { ...events, list }, since })
    api.record(event('a', 1))
    await expect.poll(() => lines).toEqual([expect.stringContaining('event a')])
    expect(notices.filter((line) => line.endsWith('; retrying'))).toHaveLength(2)
  })

  test('says what a server lacks that refuses a signature', async () => {
    const api = await openApi()
    const { url } = await openReceiver('whsec_another')
    const { lines, notices } = await start(api, url)
    api.record(event('a', 1))
    await expect.poll(() => lines).toEqual([expect.stringContaining('event a → 400')])
    expect(notices.at(-1)).toContain('Your server has another secret')
  })
})
