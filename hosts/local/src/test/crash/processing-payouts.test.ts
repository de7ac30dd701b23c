import { describe, test } from 'vitest'
import { expectOneStory, untilEnded } from '../harness/expect-payout.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { Order, Payout, Tenant } from '../harness/tenant.fixture.ts'
import { openWorld, type World } from '../harness/payout-harness.fixture.ts'

/** Payments that the network has made, and whose answers were lost. */
async function unansweredPayments(world: World, api: Tenant, count: number): Promise<Order[]> {
  await world.network.setFaults({ drop_answer_after_paying: count })
  return Promise.all(
    Array.from({ length: count }, async () => {
      const order = await world.order(api)
      await api.pay(order)
      return order
    }),
  )
}

/** Has the network call back about a payment, which makes it due at once. */
const hint = (world: World, reference: string): Promise<number | null> =>
  world.network.sendCallback({ reference, outcome: 'paid' })

describe.concurrent('payments in processing', () => {
  test('kill -9 of a worker in mid-question: another takes over when its lease has ended', async ({
    expect,
  }) => {
    await using world = await openWorld()
    const api = await world.openApi()
    const [order] = await unansweredPayments(world, api, 1)
    if (!order) throw new Error('there is no order')
    await world.network.setFaults({ hold: 'before_status' })
    const worker = await world.startWorker()
    await world.network.untilHeld()

    await worker.kill()
    await world.network.clearFaults()
    expect(await world.database.find(order)).toMatchObject({ status: 'processing', claim_count: 1 })

    world.openWorker()
    expect(await expectOneStory(expect, world, api, order)).toMatchObject({ status: 'completed' })
  })

  test('two workers at once: each payment is asked about by one of them', async ({ expect }) => {
    await using world = await openWorld()
    const api = await world.openApi()
    await Promise.all([world.startWorker(), world.startWorker()])
    const orders = await unansweredPayments(world, api, 20)

    // All of them first: the books balance when nothing is held any more.
    const ended = await Promise.all(orders.map((order) => untilEnded(world, order)))
    for (const [place, order] of orders.entries()) {
      const id = ended[place]?.id
      expect(world.network.requests(id)).toMatchObject([{ put: 1, get: 1, close: 0 }])
      expect(await expectOneStory(expect, world, api, order)).toMatchObject({ status: 'completed' })
    }
  })

  test('the network goes down in mid-payment and comes back: it is settled as it was paid', async ({
    expect,
  }) => {
    await using world = await openWorld()
    world.openWorker()
    const api = await world.openApi()
    const order = await world.order(api)
    await world.network.setFaults({ hold: 'before_paying' })
    const answer = api.pay(order)
    await world.network.untilHeld()

    await world.network.setFaults({ down: 'refuse' })
    const { status, json } = await answer
    const { id } = json as Payout
    expect({ status, json }).toMatchObject({ status: 201, json: { status: 'processing' } })
    world.network.release() // It pays after all, and can tell nobody.
    await until('a worker has asked in vain', async () => {
      const found = await world.database.find(order)
      return (found?.claim_count ?? 0) > 0
    })
    expect(await world.database.find(order)).toMatchObject({ status: 'processing' })

    await world.network.setFaults({ down: false })
    expect(await hint(world, id)).toBe(204)
    expect(await expectOneStory(expect, world, api, order)).toMatchObject({ status: 'completed' })
  })

  test('the network is down when a payment is asked for: a clear answer, and nothing is held', async ({
    expect,
  }) => {
    await using world = await openWorld()
    const api = await world.openApi()
    const order = await world.order(api)
    await world.network.setFaults({ down: 'refuse' })

    // The QR could not even be read, so the transaction_id stays free.
    expect(await api.pay(order)).toMatchObject({
      status: 503,
      json: { error: { code: 'OPERATION_UNCERTAIN' } },
    })
    expect(await world.database.find(order)).toBeUndefined()

    await world.network.setFaults({ down: false })
    expect(await api.pay(order)).toMatchObject({ status: 201, json: { status: 'completed' } })
    await expectOneStory(expect, world, api, order)
  })
})
