import { expect, test } from 'vitest'
import { learnedFrom } from '../faults/faults.fixture.ts'
import { expectConsistentPayout } from '../harness/expect-payout.fixture.ts'
import { type Program, until } from '../harness/process.fixture.ts'
import { type Payout } from '../harness/tenant.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'

const ahead = { CLOCK_AHEAD_MS: '3600000' }
const behind = { CLOCK_AHEAD_MS: '-3600000' }

/** Waits for the alert of a clock that is an hour off. A comparison is wrong by half of its round trip, at most 0.5 s. */
async function untilAlerted(program: Program): Promise<void> {
  const alerted = /"alert":"CLOCK_APART".* is (\d+\.\d) s (?:ahead of|behind)/
  const [, seconds = ''] = await program.untilOutput(alerted)
  expect(Math.abs(Number(seconds) - 3_600)).toBeLessThan(0.6)
}

test('an API one hour behind and a worker one hour ahead: correct dates and ages, and no false alert', async () => {
  await using harness = await openPayoutHarness()
  const api = await harness.startApi(behind)
  const order = await harness.order(api, 'late')
  const from = Date.now()
  const { json } = await api.pay(order)
  const { id, created_at: createdAt } = json as Payout & { readonly created_at: string }
  expect(Math.abs(Date.parse(createdAt) - from)).toBeLessThan(60_000)
  // The backlog is read every five seconds.
  const learned = learnedFrom(api.operatorUrl)
  await learned.untilMetric('quipu_payouts_processing', (value) => value === 1)
  expect(await learned.metric('quipu_payouts_processing_oldest_seconds')).toBeLessThan(60)

  const worker = await harness.startWorker(ahead)
  await until('the payout has ended', async () => {
    const { json: payout } = await api.get(`/v1/payouts/${id}`)
    return (payout as Payout).status === 'completed'
  })
  await expectConsistentPayout(expect, harness, api, order)
  await untilAlerted(api)
  await untilAlerted(worker)
  expect(worker.output()).not.toContain('PROCESSING_TOO_LONG')
})

type Ready = { readonly checks: { readonly clock: string } }

test.each([
  ['more than a minute', '61000', 503, 'failing'],
  ['half a minute', '-30000', 200, 'ok'],
])('readiness of an API whose clock is off by %s', async (_, aheadMs, status, clock) => {
  await using harness = await openPayoutHarness()
  const api = await harness.startApi({ CLOCK_AHEAD_MS: aheadMs })
  // The clocks are compared again after an answer that took more than a second.
  const ready = await until(`the clock is ${clock}`, async () => {
    const answer = await api.get('/readyz')
    return (answer.json as Ready).checks.clock === clock && answer
  })
  expect(ready).toMatchObject({ status, json: { checks: { database: 'ok', clock } } })
})
