import { describe, test } from 'vitest'
import { expectConsistentPayout, untilEnded } from '../harness/expect-payout.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { Order, Payout, Tenant } from '../harness/tenant.fixture.ts'
import { openPayoutHarness, type PayoutHarness } from '../harness/payout-harness.fixture.ts'

/** Creates payouts that the network pays, with lost answers. */
async function unansweredPayments(harness: PayoutHarness, api: Tenant, count: number): Promise<Order[]> {
  await harness.network.setFaults({ drop_answer_after_paying: count })
  return Promise.all(
    Array.from({ length: count }, async () => {
      const order = await harness.order(api)
      await api.pay(order)
      return order
    }),
  )
}

/** Sends a callback, which makes the payout due. */
const sendHint = (harness: PayoutHarness, reference: string): Promise<number | null> =>
  harness.network.sendCallback({ reference, outcome: 'paid' })

describe.concurrent('payouts in processing', () => {
  test('kill -9 of a worker during its status request: another worker continues after the lease', async ({
    expect,
  }) => {
    await using harness = await openPayoutHarness()
    const api = await harness.openApi()
    const [order] = await unansweredPayments(harness, api, 1)
    if (!order) throw new Error('no order was created')
    await harness.network.setFaults({ hang_at: 'before_status' })
    const worker = await harness.startWorker()
    await harness.network.untilHanging()

    await worker.kill()
    await harness.network.clearFaults()
    expect(await harness.database.find(order)).toMatchObject({ status: 'processing', claim_count: 1 })

    await harness.openWorker()
    expect(await expectConsistentPayout(expect, harness, api, order)).toMatchObject({ status: 'completed' })
  })

  test('two workers: each payout is read at the network by one of them', async ({ expect }) => {
    await using harness = await openPayoutHarness()
    const api = await harness.openApi()
    // Long, so that a slow worker keeps its claims.
    const env = { LEASE_SECONDS: '60' }
    await Promise.all([harness.startWorker(env), harness.startWorker(env)])
    const orders = await unansweredPayments(harness, api, 20)

    // Wait for all of them first: expectConsistentPayout expects that nothing is held.
    const ended = await Promise.all(orders.map((order) => untilEnded(harness, order)))
    for (const [place, order] of orders.entries()) {
      const id = ended[place]?.id
      expect(harness.network.requests(id)).toMatchObject([{ put: 1, get: 1, cancel: 0 }])
      expect(await expectConsistentPayout(expect, harness, api, order)).toMatchObject({ status: 'completed' })
    }
  })

  test('a network outage during a payment: the payout is settled as it was paid', async ({ expect }) => {
    await using harness = await openPayoutHarness()
    await harness.openWorker()
    const api = await harness.openApi()
    const order = await harness.order(api)
    await harness.network.setFaults({ hang_at: 'before_paying' })
    const answer = api.pay(order)
    await harness.network.untilHanging()

    await harness.network.setFaults({ down: 'refuse' })
    const { status, json } = await answer
    const { id } = json as Payout
    expect({ status, json }).toMatchObject({ status: 201, json: { status: 'processing' } })
    harness.network.release() // It pays, and its answer is lost.
    await until('a worker has claimed the payout', async () => {
      const found = await harness.database.find(order)
      return (found?.claim_count ?? 0) > 0
    })
    expect(await harness.database.find(order)).toMatchObject({ status: 'processing' })

    await harness.network.setFaults({ down: false })
    expect(await sendHint(harness, id)).toBe(204)
    expect(await expectConsistentPayout(expect, harness, api, order)).toMatchObject({ status: 'completed' })
  })

  test('a network outage before a payment: 503, and nothing is held', async ({ expect }) => {
    await using harness = await openPayoutHarness()
    const api = await harness.openApi()
    const order = await harness.order(api)
    await harness.network.setFaults({ down: 'refuse' })

    // The QR could not be read, so the transaction_id is still unused.
    expect(await api.pay(order)).toMatchObject({ status: 503, json: { error: { code: 'OPERATION_UNCERTAIN' } } })
    expect(await harness.database.find(order)).toBeUndefined()

    await harness.network.setFaults({ down: false })
    expect(await api.pay(order)).toMatchObject({ status: 201, json: { status: 'completed' } })
    await expectConsistentPayout(expect, harness, api, order)
  })
})
