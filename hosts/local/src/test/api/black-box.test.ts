import { quipu } from '@quipu/client'
import { faultSuite, type Target } from '@quipu/client/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { blackBoxSuite } from './black-box.fixture.ts'
import type { ApiTarget } from './checked-tenant.fixture.ts'
import { refusedRequests } from './refused-requests.fixture.ts'
import { openHookReceiver } from '../harness/hook-receiver.fixture.ts'
import { run } from '../harness/process.fixture.ts'
import { type StartHarness, openStartHarness } from '../harness/start-harness.fixture.ts'

let harness: StartHarness
beforeAll(async () => {
  harness = await openStartHarness({ CELL: 'g' })
  await harness.started()
})
afterAll(() => harness[Symbol.asyncDispose]())

type Ledger = { readonly payments: readonly { readonly times_paid: number }[] }

const api = async (): Promise<Target> => {
  const { base_url, api_key, qr_network } = await harness.local()
  expect(api_key).toMatch(/^qpu_test_g/)
  return {
    baseUrl: base_url,
    apiKey: api_key,
    async timesPaid(id) {
      const request = { method: 'GET', path: `/sim/ledger?reference=${id}` }
      const { payments } = (await askJson(qr_network.admin_url, request)).json as Ledger
      return payments.reduce((sum, { times_paid }) => sum + times_paid, 0)
    },
  }
}
const example = async (): Promise<ApiTarget> => {
  const { example_url } = await harness.local()
  return { baseUrl: example_url, apiKey: 'qpu_mock_black_box' }
}

blackBoxSuite('the API of a cell on PostgreSQL', api)
blackBoxSuite('the example server', example)

describe('the API and the example server give the same answer to', () => {
  test.each(refusedRequests)('$method $path $body', async ({ headers, ...request }) => {
    const [apiAnswer, exampleAnswer] = await Promise.all(
      [await api(), await example()].map(async ({ baseUrl, apiKey }) => {
        const sent = { ...request, headers: { 'x-api-key': apiKey, 'x-request-id': 'same', ...headers } }
        const { status, json, headers: answered } = await askJson(baseUrl, sent)
        // Each server links to its own page, and names the prefix of its own keys.
        const { origin } = new URL(baseUrl)
        const [prefix = ''] = /^qpu_[a-z]+_/.exec(apiKey) ?? []
        const text = JSON.stringify(json).replaceAll(origin, '').replaceAll(prefix, '(prefix)')
        const body: unknown = JSON.parse(text)
        return { status, json: body, allow: answered.get('allow') }
      }),
    )

    expect(exampleAnswer).toEqual(apiAnswer)
    expect(apiAnswer).toMatchObject({
      status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
      json: { error: { code: expect.any(String), request_id: 'same' } },
    })
  })
})

/** Every outcome of `quipu trigger`, with what it ends with. */
const triggered = [
  ['payout.completed', 'completed', null],
  ['payout.processing', 'completed', null],
  ['payout.failed', 'failed', 'PAYMENT_FAILED'],
  ['payout.cancelled', 'cancelled', 'INSUFFICIENT_FUNDS'],
  ['payout.cancelled.QUOTE_AMOUNT_MISMATCH', 'cancelled', 'QUOTE_AMOUNT_MISMATCH'],
  ['payout.cancelled.AMOUNT_EXCEEDS_PROVIDER_LIMIT', 'cancelled', 'AMOUNT_EXCEEDS_PROVIDER_LIMIT'],
  ['payout.cancelled.INSUFFICIENT_BALANCE', 'cancelled', 'INSUFFICIENT_BALANCE'],
  ['payout.rejected', 'rejected', 'QR_REFUSED'],
  ['deposit.pending', 'pending', null],
  ['deposit.credited', 'credited', null],
  ['deposit.in_review', 'in_review', 'AMOUNT_BELOW_MINIMUM'],
  ['deposit.in_review.AMOUNT_ABOVE_AUTO_LIMIT', 'in_review', 'AMOUNT_ABOVE_AUTO_LIMIT'],
] as const

async function trigger(...args: readonly string[]): Promise<string> {
  const program = run('../packages/client/src/cli/main.ts', harness.env, ['trigger', ...args])
  expect(await program.ended, program.output()).toBe(0)
  return program.output()
}

test.each(triggered)('`quipu trigger %s` uses what `start` runs: %s %s', async (...wanted) => {
  const [outcome, status, code] = wanted
  const made = JSON.parse(await trigger(outcome, '--json'))
  // The devnet may have confirmed a deposit before its first reading.
  const statuses = status === 'pending' ? ['pending', 'credited'] : [status]
  expect(statuses).toContain(made.status)
  expect(made.error?.code ?? made.review_code ?? null).toBe(code)
})

test('`quipu trigger webhook.test` sends a test event to the endpoints of the API', async () => {
  const { baseUrl, apiKey } = await api()
  const { webhooks } = quipu({ baseUrl, apiKey })
  const receiver = await openHookReceiver()
  const { id, url } = await webhooks.create({ url: receiver.url })
  const { data } = JSON.parse(await trigger('webhook.test', '--json'))
  expect(data).toMatchObject([{ webhook_id: id, url, delivered: true }])
  expect(await receiver.until(1)).toHaveLength(1)
  await webhooks.delete(id)
  await receiver.stop()
})

test('every outcome that `quipu trigger --help` lists is run here', async () => {
  const [, list = ''] = (await trigger('--help')).split('Events and outcomes:\n')
  const [own = ''] = list.split('\n\n')
  const listed = Array.from(own.matchAll(/^ {2}(\S+) {2}/gm), ([, name]) => name)
  expect(listed).toEqual([...triggered.map(([name]) => name), 'webhook.test'])
})

faultSuite('to the API on PostgreSQL', api)
