import { describe, test } from 'vitest'
import { expectConsistentPayout, untilEnded } from '../harness/expect-payout.fixture.ts'
import type { Order, Tenant } from '../harness/tenant.fixture.ts'
import { type AnyHarness, harnesses } from '../harness/payout-harness.fixture.ts'

/** Creates payouts that the network pays, with lost answers. */
async function unansweredPayments(harness: AnyHarness, api: Tenant, count: number): Promise<Order[]> {
  await harness.loseAnswers(count)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const order = await harness.order(api)
      await api.pay(order)
      return order
    }),
  )
}

/** The claims by workers of a payout that has ended. */
const claimsOf = `select fencing_token - 1 as count from quipu.payout_end where payout_id = $1`

for (const [kind, open, tags] of harnesses)
  describe.concurrent(`payouts in processing over a network ${kind}`, { tags }, () => {
    test('kill -9 of a worker during its status request: another worker continues after the lease', async ({
      expect,
    }) => {
      await using harness = await open()
      const api = await harness.openApi()
      const [order] = await unansweredPayments(harness, api, 1)
      if (!order) throw new Error('no order was created')
      await harness.hangAt('before_status')
      // Longer than the worker needs to be killed: its request ends before its lease, and it would claim again.
      const worker = await harness.startWorker({ PAYOUT_LEASE_SECONDS: '15' })
      await harness.network.untilHanging()

      await worker.kill()
      await harness.hangAt(null)
      harness.network.release()
      expect(await harness.database.find(order)).toMatchObject({ status: 'processing', claim_count: 1 })

      await harness.openWorker()
      expect(await expectConsistentPayout(expect, harness, api, order)).toMatchObject({ status: 'completed' })
    })

    test('two workers: each payout is read at the network by one of them', async ({ expect }) => {
      await using harness = await open()
      const api = await harness.openApi()
      // Long, so that a slow worker keeps its claims.
      const env = { PAYOUT_LEASE_SECONDS: '60' }
      await Promise.all([harness.startWorker(env), harness.startWorker(env)])
      const orders = await unansweredPayments(harness, api, 20)

      // Wait for all of them first: expectConsistentPayout expects that nothing is held.
      const ended = await Promise.all(orders.map((order) => untilEnded(harness, order)))
      for (const [place, order] of orders.entries()) {
        const id = ended[place]?.id ?? ''
        const [claims] = await harness.database.query<{ count: number }>(claimsOf, [id])
        // One each. On a busy machine a query may reach its deadline: the payout is then claimed and queried again.
        expect([harness.orderCount(id), harness.queryCount(id)]).toEqual([1, claims?.count])
        expect(await expectConsistentPayout(expect, harness, api, order)).toMatchObject({ status: 'completed' })
      }
    })
  })
