import { describe, expect, test } from 'vitest'
import { bob, usdt } from '@quipu/core'
import type { NetworkAnswer } from '@quipu/core/adapter'
import { quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { type PayoutStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'

/** Proves which questions to the network are on record, with their answers. */
export function recordNetworkCallsContract(name: string, open: OpenHarness<PayoutStores>): void {
  describe(`the record of calls to the network on ${name}`, () => {
    const w = useWorld(open, 'each')

    /** A payout whose order the network answers so. */
    async function paying(answer: NetworkAnswer | undefined) {
      const begun = await quotedTenant(w, usdt(1_000_000_000n))
      const { network, createdPayout, tenant, request, quote } = begun
      if (answer) network.answer = async () => answer
      const { id: payoutId, tenantId } = await createdPayout(tenant, request(quote))
      const calls = async () => (await w.networkCalls.list({ tenantId, payoutId }, { limit: 50 })).items
      return { ...begun, payoutId, calls }
    }

    test.each<NetworkAnswer | undefined>([undefined, { type: 'refused_payment' }])(
      'a payout that its request settles has none',
      async (answer) => {
        const { calls, currentPayout } = await paying(answer)
        expect((await currentPayout())?.status).not.toBe('processing')
        expect(await calls()).toEqual([])
      },
    )

    test('an order without a final answer, then the worker’s status call and cancel', async () => {
      const { calls, step, runWorker, currentPayout } = await paying({
        type: 'unknown',
        reason: 'connection reset '.repeat(50),
      })
      const order = { kind: 'pay', queriedBy: 'request', actor: null, answer: 'unknown' }
      expect(await calls()).toMatchObject([order])
      expect((await calls())[0]?.detail).toHaveLength(500)
      await step(2)
      await runWorker()
      expect(await currentPayout()).toMatchObject({ status: 'cancelled' })
      const byWorker = { queriedBy: 'worker', actor: null, detail: null }
      expect(await calls()).toHaveLength(3)
      expect(await calls()).toEqual(
        expect.arrayContaining([
          expect.objectContaining(order),
          expect.objectContaining({ ...byWorker, kind: 'status', answer: 'not_seen' }),
          expect.objectContaining({ ...byWorker, kind: 'cancel', answer: 'cancelled' }),
        ]),
      )
    })

    test('a wrong amount is on record with the payment, once for each question', async () => {
      const { calls, network, payoutId, step, runWorker } = await paying({ type: 'pending' })
      network.record(payoutId, { type: 'paid', amount: bob(9_900n), paymentId: 'np-7' })
      for (const seconds of [2, 3]) {
        await step(seconds)
        await runWorker()
      }
      const wrong = { kind: 'status', answer: 'paid', detail: 'BOB 99.00, payment np-7' }
      expect(await calls()).toMatchObject([wrong, wrong, { kind: 'pay', answer: 'pending' }])
    })

    test('a call has its duration', async () => {
      const { calls, network, step, runWorker, untilIdle } = await paying({ type: 'pending' })
      await step(2)
      const gate = Promise.withResolvers<void>()
      network.status = async () => gate.promise.then(() => ({ type: 'pending' as const }))
      const working = runWorker()
      await untilIdle()
      await step(4)
      gate.resolve()
      await working
      expect((await calls())[0]).toMatchObject({ kind: 'status', durationMs: 4_000 })
    })
  })
}
