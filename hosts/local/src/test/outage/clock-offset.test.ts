import { expect, test } from 'vitest'
import { expectOneStory } from '../harness/expect-payout.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { operatorToken, type Payout } from '../harness/tenant.fixture.ts'
import { openWebhookWorld } from '../harness/webhook-harness.fixture.ts'
import { openWorld } from '../harness/payout-harness.fixture.ts'

const ahead = { CLOCK_AHEAD_MS: '3600000' }
const behind = { CLOCK_AHEAD_MS: '-3600000' }
const alerted = /"alert":"CLOCK_APART".*3600\.\d s (?:ahead of|behind)/

/** The lines of the metrics page that begin so. */
async function metric(operatorUrl: string, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const text = await (await fetch(`${operatorUrl}/metrics`, { headers })).text()
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? []
  return Number(value)
}

test('an API an hour behind and a worker an hour ahead: right dates and ages, no false alert', async () => {
  await using world = await openWorld()
  const api = await world.startApi(behind)
  const order = await world.order(api, 'late')
  const from = Date.now()
  const { json } = await api.pay(order)
  const { id, created_at: createdAt } = json as Payout & { readonly created_at: string }
  expect(Math.abs(Date.parse(createdAt) - from)).toBeLessThan(60_000)
  expect(await metric(api.operatorUrl, 'quipu_payouts_processing')).toBe(1)
  expect(await metric(api.operatorUrl, 'quipu_payouts_processing_oldest_seconds')).toBeLessThan(60)

  const worker = await world.startWorker(ahead)
  await until('the payout has ended', async () => {
    const { json: payout } = await api.get(`/v1/payouts/${id}`)
    return (payout as Payout).status === 'completed'
  })
  await expectOneStory(expect, world, api, order)
  await api.says(alerted)
  await worker.says(alerted)
  expect(worker.output()).not.toContain('PROCESSING_TOO_LONG')
})

test('webhooks of a worker an hour behind are signed with the right time', async () => {
  await using world = await openWebhookWorld()
  const api = await world.openApi()
  await world.register(api)
  await world.happen(api, 3)
  const worker = await world.startWorker(behind)
  await worker.says(alerted)
  await until(
    'the receiver has been sent every event',
    () => world.receiver.arrivals.size === 3 || world.receiver.faults.length > 0,
  )
  expect(world.receiver.faults).toEqual([])
})

test.each([
  ['a minute and more', '61000', 503, 'failing'],
  ['half a minute', '-30000', 200, 'ok'],
])('an API whose clock is off by %s', async (_, aheadMs, status, clock) => {
  await using world = await openWorld()
  const api = await world.startApi({ CLOCK_AHEAD_MS: aheadMs })
  const ready = await api.get('/readyz')
  expect(ready).toMatchObject({ status, json: { checks: { database: 'ok', clock } } })
})
