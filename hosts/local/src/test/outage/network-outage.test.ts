import { expect, test } from 'vitest'
import { expectOneStory, untilEnded } from '../harness/expect-payout.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { openWorld } from '../harness/payout-harness.fixture.ts'

/** As after two minutes: their next question is four minutes away. */
const postpone = `
  update quipu.payout_open set due_at = now() + interval '4 minutes', claim_count = 6
  where not leased and claim_count > 0`
const postponed = `
  select from quipu.payout_open where not leased and due_at > now() + interval '3 minutes'`

test('a network outage ends: two workers settle what stayed open, a few payouts a second', async () => {
  await using world = await openWorld()
  const api = await world.openApi()
  const orders = []
  for (let n = 0; n < 8; n++) orders.push(await world.order(api, 'pay_then_drop'))
  for (const order of orders)
    expect((await api.pay(order)).json).toMatchObject({ status: 'processing' })
  const swallowed = world.wire.swallow()
  await Promise.all([world.startWorker(), world.startWorker()])
  await swallowed
  await until('the network has answered no question about any of them', async () => {
    await world.database.query(postpone)
    return (await world.database.query(postponed)).length === orders.length
  })

  world.wire.pass()
  const late = await world.order(api, 'late')
  expect((await api.pay(late)).json).toMatchObject({ status: 'processing' })

  for (const order of orders) await untilEnded(world, order)
  await untilEnded(world, late)
  for (const order of [late, ...orders])
    expect(await expectOneStory(expect, world, api, order)).toMatchObject({ status: 'completed' })
})
