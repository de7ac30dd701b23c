import { describe, expect, test } from 'vitest'
import { Unavailable, usdt } from '@quipu/core'
import { quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { type PayoutStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { networkKinds } from '../../fixtures/payout/without-cancel.ts'
import { newGate } from '../../fixtures/gate.ts'
import { qrRead } from '../../fixtures/payout/payout-harness.ts'

/** Proves that a request answers by its deadline, and neither accepts nor pays after it. */
export function payoutDeadlineContract(name: string, open: OpenHarness<PayoutStores>): void {
  for (const kind of networkKinds) deadlineTests(name, open, kind)
}

function deadlineTests(
  name: string,
  open: OpenHarness<PayoutStores>,
  [kind, capabilities]: (typeof networkKinds)[number],
): void {
  describe(`deadlines on ${name} with a network ${kind}`, () => {
    const w = useWorld(open, 'each')

    /** A quoted tenant, and a gate for calls of its network or store. */
    const begin = async () => ({ ...(await quotedTenant(w, usdt(1_000_000_000n), capabilities)), gate: newGate() })

    /** A request whose commit is durable, and is answered when the gate opens. @param readSeconds how long the QR was read */
    const beginCommitting = async (readSeconds = 0) => {
      const started = await begin()
      const { tenant, quote, network, create, request, payouts, step, gate } = started
      const reading = newGate()
      network.read = async () => reading.pass().then(() => qrRead())
      const commit = payouts.commit
      payouts.commit = async (write) => {
        const committed = await commit(write)
        await gate.pass()
        return committed
      }
      const answer = create(tenant, request(quote))
      await reading.reached
      await step(readSeconds)
      reading.open()
      await gate.reached
      payouts.commit = commit
      return { ...started, answer }
    }

    test('while the request waits for the network its lease is renewed, and no worker queries', async () => {
      const { tenant, quote, network, create, request, step, gate, runWorker } = await begin()
      const { answer } = network
      network.answer = async (order) => gate.pass().then(() => answer(order))
      const paying = create(tenant, request(quote))
      await gate.reached
      for (let waited = 0; waited < 18; waited += 3) {
        await step(3)
        expect(await runWorker()).toEqual([])
      }
      expect(network.statusCalls).toEqual([])
      gate.open()
      expect(await paying).toMatchObject({ payout: { status: 'completed' }, replayed: false })
    })

    // After four seconds the claim needs no renewal, after twenty it does.
    test.each([16, 0])('a commit answered after the deadline is not paid (read in %i s)', async (readSeconds) => {
      const { tenant, quote, network, create, request, step, untilIdle, runWorker, gate, answer, ...begun } =
        await beginCommitting(readSeconds)
      const outcome = answer.catch((error: unknown) => error)
      await step(20 - readSeconds)
      gate.open()
      expect(await outcome).toBeInstanceOf(Unavailable)
      await untilIdle()
      expect(network.orders).toEqual([])
      expect(await begun.currentPayout()).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
      expect(await runWorker()).toEqual([])
      expect(await create(tenant, request(quote))).toMatchObject({ payout: { status: 'cancelled' }, replayed: true })
    })

    test('a commit answered after the lease leaves the payout to the worker that claimed it', async () => {
      const { network, step, runWorker, gate, answer } = await beginCommitting()
      await step(16)
      expect(await runWorker()).toMatchObject([{ status: 'cancelled' }])
      gate.open()
      expect(await answer).toMatchObject({ payout: { status: 'cancelled' }, replayed: true })
      expect(network.orders).toEqual([])
    })

    for (const hours of [-1, 1]) {
      test(`a repeated request answers in time when the creator’s clock is ${hours} h off`, async () => {
        const { tenant, quote, network, create, request, payouts, step, untilIdle, gate } = await begin()
        network.answer = async () => gate.pass().then(() => ({ type: 'pending' }) as const)
        const first = create(tenant, request(quote))
        await gate.reached
        const find = payouts.find
        payouts.find = async (...args) => {
          const known = await find(...args)
          return known && { ...known, ageMs: known.ageMs - hours * 3_600_000 }
        }
        const findForCreate = payouts.findForCreate
        payouts.findForCreate = async (...args) => {
          const found = await findForCreate(...args)
          const { stored } = found
          return { ...found, stored: stored && { ...stored, ageMs: stored.ageMs - hours * 3_600_000 } }
        }
        let answered = false
        const second = create(tenant, request(quote)).finally(() => {
          answered = true
        })
        await step(21)
        expect(answered).toBe(true)
        expect(await second).toMatchObject({ payout: { status: 'processing' }, replayed: true })
        expect(await first).toMatchObject({ payout: { status: 'processing' }, replayed: false })
        gate.open()
        await untilIdle()
      })
    }

    test('an equal request one second later answers by its own deadline', async () => {
      const { tenant, quote, network, create, request, step, untilIdle } = await begin()
      const [readings, gate] = [[newGate(), newGate()], newGate()]
      network.read = async () => {
        await readings[network.readCalls.length - 1]?.pass()
        return qrRead()
      }
      network.answer = async () => gate.pass().then(() => ({ type: 'pending' }) as const)
      const first = create(tenant, request(quote))
      await readings[0]?.reached
      await step(1)
      let answeredAt = NaN
      let seconds = 1
      const second = create(tenant, request(quote)).finally(() => {
        answeredAt = seconds
      })
      await readings[1]?.reached
      const pass = async (count: number): Promise<void> => {
        for (let n = 0; n < count; n++) {
          seconds += 1
          await step(1)
        }
      }
      await pass(12)
      readings[0]?.open()
      await gate.reached
      readings[1]?.open()
      await pass(20)
      expect(await first).toMatchObject({ payout: { status: 'processing' } })
      expect(await second).toMatchObject({ payout: { status: 'processing' }, replayed: true })
      expect(answeredAt).toBeLessThanOrEqual(21)
      gate.open()
      await untilIdle()
    })
  })
}
