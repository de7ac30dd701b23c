import { expect, test } from 'vitest'
import { expectConsistentPayout, untilEnded } from '../harness/expect-payout.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'

/** The state after two minutes of outage: the next status request is due in four minutes. */
const postpone = `
  update quipu.payout_open set due_at = now() + interval '4 minutes', claim_count = 6
  where not leased and claim_count > 0`
const postponed = `
  select from quipu.payout_open where not leased and due_at > now() + interval '3 minutes'`

test('after a network outage two workers settle the open payouts, a few a second', async () => {
  await using harness = await openPayoutHarness()
  const api = await harness.openApi()
  const orders = []
  for (let n = 0; n < 8; n++) orders.push(await harness.order(api, 'pay_then_drop'))
  for (const order of orders) expect((await api.pay(order)).json).toMatchObject({ status: 'processing' })
  const dropped = harness.networkProxy.dropRequests()
  await Promise.all([harness.startWorker(), harness.startWorker()])
  await dropped
  await until('every status request has failed', async () => {
    await harness.database.query(postpone)
    return (await harness.database.query(postponed)).length === orders.length
  })

  harness.networkProxy.forward()
  const late = await harness.order(api, 'late')
  expect((await api.pay(late)).json).toMatchObject({ status: 'processing' })

  for (const order of orders) await untilEnded(harness, order)
  await untilEnded(harness, late)
  for (const order of [late, ...orders])
    expect(await expectConsistentPayout(expect, harness, api, order)).toMatchObject({ status: 'completed' })
})
