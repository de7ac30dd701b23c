import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type FakeApi, openFakeApi } from '../faults/fake-api.fixture.ts'
import { openServer } from '../http-server.fixture.ts'
import { type QuipuEvent, quipu } from '../index.ts'
import { fetchReceiver } from '../webhook/fetch.ts'
import { listen, type ListenOptions } from './listen.ts'

const secret = 'whsec_test'
const soon = { timeout: 20_000 }

/** @param second  of its recording */
const event = (id: string, second: number): QuipuEvent => {
  const at = new Date(Date.UTC(2026, 2, 2, 12, 0, second)).toISOString()
  const data = { id: `po_${id}` } as QuipuEvent['data']
  return {
    id,
    type: 'payout.completed',
    event_version: 1,
    occurred_at: at,
    recorded_at: at,
    data,
  } as QuipuEvent
}

/** A developer's own server. */
async function openReceiver(secrets: string, answer = 204) {
  const taken: string[] = []
  const receive = fetchReceiver({ secrets, onEvent: ({ id }) => void taken.push(id) })
  const server = await openServer(async (request, response) => {
    const headers = Object.entries(request.headers) as [string, string][]
    const body = await text(request)
    const { status } = await receive(new Request('http://a', { method: 'POST', headers, body }))
    response.writeHead(status === 204 ? answer : status).end()
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

async function start(api: FakeApi, forwardTo: string, more: Partial<ListenOptions> = {}) {
  const lines: string[] = []
  const ended = new AbortController()
  const { signal } = ended
  const { events } = quipu({ apiKey: api.apiKey, baseUrl: api.url })
  const begun = Promise.withResolvers<void>()
  const print = (line: string): void => {
    lines.push(line)
    begun.resolve() // The first line says that it waits for events.
  }
  const running = listen({ events, forwardTo, secret, pollMs: 5, signal, print, ...more })
  const outcome = running.catch((error: unknown) => error)
  onTestFinished(async () => {
    ended.abort(new Error('over'))
    await outcome
  })
  await Promise.race([begun.promise, outcome])
  return { lines, outcome }
}

describe('listen', () => {
  test('forwards new events once, in order, signed', async () => {
    const api = await openApi(event('old', 0), event('just before', 1))
    const { url, taken } = await openReceiver(secret)
    const { lines } = await start(api, url)
    for (let second = 2; second < 12; second++) api.record(event(`new-${second}`, second))
    await expect.poll(() => taken, soon).toHaveLength(10)
    api.record(event('last', 100))
    await expect.poll(() => taken, soon).toHaveLength(11)
    expect(taken).toEqual([...Array.from({ length: 10 }, (_, index) => `new-${index + 2}`), 'last'])
    expect(lines.at(-1)).toBe('2026-03-02T12:01:40.000Z payout.completed last → 204')
  })

  test('finds an event that becomes visible after a newer one', async () => {
    const api = await openApi()
    const { url, taken } = await openReceiver(secret)
    await start(api, url)
    api.record(event('second', 30))
    await expect.poll(() => taken, soon).toEqual(['second'])
    api.record(event('first', 29))
    await expect.poll(() => taken, soon).toEqual(['second', 'first'])
  })

  test('starts at --since', async () => {
    const api = await openApi(
      ...Array.from({ length: 250 }, (_, index) => event(`${index}`, index)),
    )
    const { url, taken } = await openReceiver(secret)
    await start(api, url, { since: new Date('2026-03-02T12:00:10Z') })
    await expect.poll(() => taken, soon).toHaveLength(240)
    expect([taken[0], taken.at(-1)]).toEqual(['10', '249'])
  })

  test('polls again only after its pause', async () => {
    const api = await openApi(event('there', 0))
    const { url, taken } = await openReceiver(secret)
    await start(api, url, { since: new Date(0), pollMs: 3_600_000 })
    await expect.poll(() => taken, soon).toEqual(['there'])
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
    const { lines } = await start(api, gone.url)
    api.record(event('early', 1))
    await expect
      .poll(() => lines, soon)
      .toContain(`${gone.url} refuses connections; retrying until it accepts them`)
  })

  test('prints the status of the server’s answer, and continues', async () => {
    const api = await openApi()
    const { url, taken } = await openReceiver(secret, 500)
    const { lines } = await start(api, url)
    api.record(event('a', 1))
    api.record(event('b', 2))
    await expect.poll(() => taken, soon).toEqual(['a', 'b'])
    await expect.poll(() => lines.filter((line) => line.endsWith('→ 500')), soon).toHaveLength(2)
  })

  test('ends when the key is refused', async () => {
    const api = await openApi()
    const { outcome } = await start({ ...api, apiKey: 'qpu_test_revoked' }, 'http://127.0.0.1:1')
    expect(await outcome).toMatchObject({ code: 'AUTHENTICATION_FAILED' })
  })
})

describe('quipu listen', () => {
  const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))

  function run(args: readonly string[], env: Record<string, string>) {
    const child = spawn(process.execPath, ['--conditions=source', cli, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    }
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    return { child, ended, output: () => output }
  }

  test('prints the secret that verifies its signatures, and exits with 0', async () => {
    const api = await openApi()
    const taken: string[] = []
    let made = ''
    const server = await openServer(async (request, response) => {
      const receive = fetchReceiver({ secrets: made, onEvent: ({ id }) => void taken.push(id) })
      const headers = Object.entries(request.headers) as [string, string][]
      const body = await text(request)
      const answer = await receive(new Request('http://a', { method: 'POST', headers, body }))
      response.writeHead(answer.status).end()
    })
    onTestFinished(async () => server[Symbol.asyncDispose]())
    const env = { QUIPU_API_KEY: api.apiKey, QUIPU_BASE_URL: api.url }
    const since = '2026-03-02T12:00:00Z'
    const { child, ended, output } = run(
      ['listen', '--forward-to', server.url, '--since', since],
      env,
    )
    await expect.poll(output, soon).toMatch(/signed with whsec_[0-9a-f]{48}\n/)
    made = /whsec_[0-9a-f]+/.exec(output())?.[0] ?? ''
    api.record(event('a', 1))
    await expect.poll(() => taken, soon).toEqual(['a'])
    await expect.poll(output, soon).toContain('payout.completed a → 204')
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  })

  const address = ['--forward-to', 'http://127.0.0.1:1']
  test.each([
    [[], 'quipu listen --forward-to URL', 2],
    [['listen'], 'quipu listen --forward-to URL', 2],
    [['--help'], 'The API key is read from QUIPU_API_KEY', 0],
    [['listen', ...address], 'QUIPU_BASE_URL or QUIPU_API_KEY is missing', 2],
    [['listen', '--api-key', 'x'], "Unknown option '--api-key'", 1],
  ])('%j prints %j', async (args, text, code) => {
    const { ended, output } = run(args, {})
    expect(await ended).toBe(code)
    expect(output()).toContain(text)
  })
})
