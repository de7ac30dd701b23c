import { expect, test } from 'vitest'
import { expectConsistentPayout, untilEnded } from '../harness/expect-payout.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { Payout } from '../harness/tenant.fixture.ts'

/** The state after two minutes of outage: the next status request is due in four minutes. */
const postpone = `
  update quipu.payout_open set due_at = now() + interval '4 minutes', claim_count = 6
  where not leased and claim_count > 0`
const postponed = `
  select from quipu.payout_open where not leased and due_at > now() + interval '3 minutes'`

test('before a payment: 503, and nothing is held; during one: a callback settles it as it was paid', async () => {
  await using harness = await openPayoutHarness()
  await harness.openWorker()
  const api = await harness.openApi()
  const [unread, order] = [await harness.order(api), await harness.order(api)]
  await harness.setDown(true)
  // The QR could not be read, so the transaction_id is still unused.
  expect(await api.pay(unread)).toMatchObject({ status: 503, json: { error: { code: 'OPERATION_UNCERTAIN' } } })
  expect(await harness.database.find(unread)).toBeUndefined()
  await harness.setDown(false)
  expect(await api.pay(unread)).toMatchObject({ status: 201, json: { status: 'completed' } })
  await expectConsistentPayout(expect, harness, api, unread)

  await harness.hangAt('before_paying')
  const answer = api.pay(order)
  await harness.network.untilHanging()
  await harness.setDown(true)
  const { status, json } = await answer
  const { id } = json as Payout
  expect({ status, json }).toMatchObject({ status: 201, json: { status: 'processing' } })
  harness.network.release() // It pays, and its answer is lost.
  await until(
    'a worker has claimed the payout',
    async () => ((await harness.database.find(order))?.claim_count ?? 0) > 0,
  )
  expect(await harness.database.find(order)).toMatchObject({ status: 'processing' })
  await harness.setDown(false)
  expect(await harness.network.sendCallback({ reference: id, outcome: 'paid' })).toBe(204)
  expect(await expectConsistentPayout(expect, harness, api, order)).toMatchObject({ status: 'completed' })
})

test('after an outage two workers settle the open payouts, a few a second', async () => {
  await using harness = await openPayoutHarness()
  const api = await harness.startApi()
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
