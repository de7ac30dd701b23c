import { onTestFinished, expect, test } from 'vitest'
import { type FakeApi, openFakeApi } from '../../faults/fake-api.fixture.ts'
import { openServer } from '../../http-server.fixture.ts'
import { quipu } from '../../index.ts'
import { runCommand } from '../run-command.ts'

/** Runs a command line in this process, where a person answers every question; null: nobody is there. */
async function ask(
  api: Pick<FakeApi, 'url' | 'apiKey'>,
  answer: string | (() => Promise<string>) | null,
  ...args: readonly string[]
) {
  let [out, error] = ['', '']
  const asked: string[] = []
  const terminal = {
    out: (text: string) => void (out += text),
    error: (text: string) => void (error += text),
    columns: 80,
    ask:
      answer === null
        ? undefined
        : async (question: string) => {
            asked.push(question)
            return typeof answer === 'string' ? answer : answer()
          },
    input: async () => '',
  }
  const env = { QUIPU_API_URL: api.url, QUIPU_API_KEY: api.apiKey, HOME: '/nowhere' }
  const { signal } = new AbortController()
  const code = await runCommand(args, { terminal, env, signal })
  return { code, out, error, asked }
}

async function openApi(): Promise<FakeApi> {
  const api = await openFakeApi()
  onTestFinished(() => api[Symbol.asyncDispose]())
  return api
}

test.each(['', 'n', 'no', 'why?', 'yet?'])('the answer %j pays nothing', async (answer) => {
  const api = await openApi()
  const { code, out, error, asked } = await ask(api, answer, 'pay', 'MOCK:paid')
  expect({ code, out, asked }).toEqual({ code: 1, out: '', asked: ['Pay? [y/N] '] })
  expect(error).toMatch(/You pay {6}10\.203353 USDT[^]*Nothing was paid\.\n$/)
  expect((await ask(api, '', 'payouts')).error).toBe('There is none.\n')
})

test('where nobody answers, --yes pays', async () => {
  const api = await openApi()
  const { code, error } = await ask(api, null, 'pay', 'MOCK:paid')
  expect([code, error]).toEqual([2, expect.stringContaining('add --yes')])
  expect(await ask(api, null, 'pay', 'MOCK:paid', '--yes')).toMatchObject({ code: 0, asked: [] })
})

test('a payment that may have been made is to be repeated with its id, also when it is then refused', async () => {
  const { url, apiKey } = await openApi()
  let payments = 0
  const server = await openServer(async ({ method = '', url: path = '', headers }, response) => {
    if (path !== '/v1/payouts') {
      const { 'x-api-key': key } = headers
      const body = JSON.stringify({ target: { currency: 'BOB', amount: '100.00' } })
      const answer = await fetch(url + path, { method, headers: { 'x-api-key': String(key) }, body })
      response.writeHead(answer.status).end(await answer.text())
    } else if (payments++ === 0) response.destroy()
    else response.writeHead(401).end(JSON.stringify({ error: { code: 'AUTHENTICATION_FAILED', message: 'Revoked.' } }))
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { code, error } = await ask({ url: server.url, apiKey }, 'y', 'pay', 'MOCK:paid')
  expect([code, payments]).toEqual([3, 2])
  expect(error).toMatch(/may have been made\. Repeat the command with --transaction-id cli-/)
})

test.each(['y', 'Yes', 'sí'])('the answer %j pays', async (answer) => {
  const api = await openApi()
  const { code, out } = await ask(api, answer, 'pay', 'MOCK:paid', '--json')
  expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({ code: 0, status: 'completed' })
})

test.each<[string, number, string, ...string[]]>([
  ['MOCK:paid', 0, ''],
  ['MOCK:paid', 0, '', '--amount', '100'],
  ['MOCK:paid', 1, 'choose another id', '--amount', '50.00'],
  ['MOCK:paid?to=another', 1, 'choose another id'],
])(
  'an id that is taken meanwhile is decided by its QR and amount: %s ends with %i',
  async (content, code, text, ...more) => {
    const api = await openApi()
    const client = quipu({ baseUrl: api.url, apiKey: api.apiKey })
    const first = async (): Promise<string> => {
      const { id } = await client.quotes.create({ target: { currency: 'BOB', amount: '100.00' } })
      const qr = { content: 'MOCK:paid' }
      await client.payouts.create({ transaction_id: 'order-1', type: 'qr', qr, quote_id: id })
      return 'y'
    }
    const ended = await ask(api, first, 'pay', content, '--transaction-id', 'order-1', ...more)
    expect({ code: ended.code, error: ended.error }).toEqual({ code, error: expect.stringContaining(text) })
    expect(ended.out === '').toBe(code === 1)
  },
)

test.each([
  [['pay', 'MOCK:OPEN', '--yes'], 'The QR has an open amount: add --amount.'],
  [['quote', '--qr', 'MOCK:OPEN'], 'The QR has an open amount: add --amount.'],
  [['balance', '--url', 'http://api.example'], '--url or QUIPU_API_URL must begin with https://'],
  [['statement', '11/2026'], '11/2026 is neither a month such as 2026-11'],
  [['login', '--profile', 'a b'], '--profile: it is named with letters'],
])('%j ends with 2 and names the option at fault', async (args, text) => {
  const { code, error } = await ask(await openApi(), null, ...args)
  expect([code, error]).toEqual([2, expect.stringContaining(text)])
})

test.each([
  [['payouts', '--limit=500'], '  --limit: limit must be at most 100'],
  [['quote', '--amount', '1.001'], '  limit must be at most 100'],
])('a member that the service refuses is named by its option, where %j has it', async (args, line) => {
  const details = [{ field: 'limit', message: 'must be at most 100' }]
  const error = { code: 'VALIDATION_FAILED', message: 'No.', request_id: 'req_1', details }
  const server = await openServer(async (_, response) => void response.writeHead(400).end(JSON.stringify({ error })))
  onTestFinished(() => server[Symbol.asyncDispose]())
  const ended = await ask({ url: server.url, apiKey: 'qpu_test_k' }, null, ...args)
  expect([ended.code, ended.error.split('\n')[1]]).toEqual([1, line])
})
