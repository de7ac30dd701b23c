import { faultSuite, type Target } from '@quipu/client/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { clientSuite } from './client-suite.fixture.ts'
import { generatedClientSuite } from './generated-client-suite.fixture.ts'
import { run } from '../harness/process.fixture.ts'
import { type StartHarness, openStartHarness } from '../harness/start-harness.fixture.ts'

let harness: StartHarness
beforeAll(async () => {
  harness = await openStartHarness()
  await harness.started()
}, 120_000)
afterAll(() => harness[Symbol.asyncDispose]())

type Ledger = { readonly payments: readonly { readonly times_paid: number }[] }

const api = async (): Promise<Target> => {
  const { base_url, api_key, qr_network } = await harness.local()
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
const example = async (): Promise<Target> => {
  const { example_url } = await harness.local()
  return { baseUrl: example_url, apiKey: 'qpu_mock_client' }
}

test.each([
  ['payout.failed', 'failed', 'PAYMENT_FAILED'],
  ['deposit.credited', 'credited', null],
  ['deposit.in_review', 'in_review', 'AMOUNT_BELOW_MINIMUM'],
])('`quipu trigger %s` uses what `start` runs: %s %s', async (outcome, status, code) => {
  const args = ['trigger', outcome, '--json']
  const program = run('../packages/client/src/cli/main.ts', harness.env, args)
  expect(await program.ended, program.output()).toBe(0)
  const made = JSON.parse(program.output())
  expect([made.status, made.error?.code ?? made.review_code ?? null]).toEqual([status, code])
})

clientSuite('the API on PostgreSQL', api)
clientSuite('the example server', example)
generatedClientSuite([api, example])
faultSuite('to the API on PostgreSQL', api)
faultSuite('to the example server', example)
