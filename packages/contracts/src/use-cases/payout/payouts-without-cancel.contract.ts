import { describe, expect, test } from 'vitest'
import { defaultResumeSettings, type NetworkCapabilities, Unavailable, usdt } from '@quipu/core'
import type { NetworkAnswer, StatementRow } from '@quipu/core/adapter'
import { operatePayouts } from '@quipu/core/operator'
import { givenRef } from '../../fixtures/payout/payout-harness.ts'
import { quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { withoutCancel } from '../../fixtures/payout/without-cancel.ts'
import { newGate } from '../../fixtures/gate.ts'
import { type OpenHarness, type PayoutStores, useWorld } from '../../fixtures/harness.ts'
import { credentialOf, operatorNamed } from '../../fixtures/proposal/operators.ts'

type Needed = PayoutStores | 'payoutDecisions'

const funds = 1_000_000_000n
const silence: NetworkAnswer = { type: 'unknown', reason: 'timeout' }
const afterSeconds = 1_000
const byStatement = withoutCancel({ by: 'statement', afterSeconds })

/** Proves how payouts end at a network that cannot cancel references. */
export function payoutsWithoutCancelContract(name: string, open: OpenHarness<Needed>): void {
  const w = useWorld(open, 'each')

  const begin = async (capabilities: NetworkCapabilities = withoutCancel()) => {
    const begun = await quotedTenant(w, usdt(funds), capabilities, true)
    const { ports } = begun
    return {
      ...begun,
      operate: operatePayouts({ ...ports, payoutDecisions: w.payoutDecisions }, defaultResumeSettings),
    }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  /** A payout whose order may have left: the network did not answer. */
  const inDoubt = async (capabilities?: NetworkCapabilities) => {
    const begun = await begin(capabilities)
    const { network, createdPayout, tenant, request, quote } = begun
    const { answer } = network
    network.answer = async () => silence
    const { id } = await createdPayout(tenant, request(quote))
    network.answer = answer
    return { ...begun, id }
  }

  describe(`orders that never left, on ${name}`, () => {
    test('the order of a payout leaves after its mark, and only once', async () => {
      const { network, payouts, createdPayout, tenant, request, quote } = await begin()
      const marks: number[] = []
      const { markOrdered } = payouts
      payouts.markOrdered = async (...args) => {
        marks.push(network.orders.length)
        return markOrdered(...args)
      }
      const payout = await createdPayout(tenant, request(quote))
      expect(payout).toMatchObject({ status: 'completed', networkRef: givenRef(payout.id) })
      expect([marks, network.orders.length]).toEqual([[0], 1])
    })

    test('a payout whose request died before the mark ends without a call', async () => {
      const { network, payouts, create, tenant, request, quote, step, runWorker, balance } = await begin()
      const gate = newGate()
      payouts.markOrdered = async (...args) => {
        await gate.pass()
        return w.payouts.markOrdered(...args)
      }
      const answer = create(tenant, request(quote))
      await gate.reached
      await step(16)
      expect(await runWorker()).toMatchObject([{ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } }])
      gate.open()
      expect(await answer).toMatchObject({ payout: { status: 'cancelled' }, replayed: true })
      expect([network.orders, network.statusCalls]).toEqual([[], []])
      expect(await balance()).toEqual({ available: funds, held: 0n })
    })

    test('a mark answered after the deadline pays nothing, and the owner cancels the payout', async () => {
      const { network, payouts, create, tenant, request, quote, step, untilIdle, currentPayout } = await begin()
      const gate = newGate()
      payouts.markOrdered = async (...args) => {
        await gate.pass()
        return w.payouts.markOrdered(...args)
      }
      const answer = create(tenant, request(quote)).catch((error: unknown) => error)
      await gate.reached
      await step(20)
      gate.open()
      expect(await answer).toBeInstanceOf(Unavailable)
      await untilIdle()
      expect(await currentPayout()).toMatchObject({ status: 'cancelled' })
      expect(network.orders).toEqual([])
    })

    test('an operator ends such a payout by querying it', async () => {
      const { payouts, create, tenant, request, quote, step, operate, network, untilIdle } = await begin()
      const gate = newGate()
      payouts.markOrdered = async () => gate.pass().then(() => false)
      const answer = create(tenant, request(quote)).catch((error: unknown) => error)
      await gate.reached
      await step(16)
      const id = (await w.payouts.list(tenant.id, { limit: 1 })).items[0]?.id ?? ''
      const queried = { type: 'queried', payout: { status: 'cancelled' }, calls: [] }
      expect(await operate.query(operatorNamed('ana'), id)).toMatchObject(queried)
      gate.open()
      await untilIdle()
      expect(await answer).toMatchObject({ payout: { status: 'cancelled' } })
      expect(network.statusCalls).toEqual([])
    })

    test('a payout that was accepted without a mark is never taken for unsent', async () => {
      const { createdPayout, network, tenant, request, payouts, quote, step, runWorker, currentPayout } = await begin()
      payouts.commit = async (write) =>
        w.payouts.commit(write.kind === 'accept' ? { ...write, marksOrder: undefined as never } : write)
      network.answer = async () => silence
      await createdPayout(tenant, request(quote))
      await step(16)
      await runWorker()
      expect(network.statusCalls).toHaveLength(1)
      expect(await currentPayout()).toMatchObject({ status: 'processing' })
    })
  })

  describe(`references given at pay, on ${name}`, () => {
    test('an undecided answer’s reference is that of the next status calls, and of the payout', async () => {
      const { network, createdPayout, tenant, request, quote, step, runWorker, currentPayout } = await begin()
      network.answer = async ({ reference, networkRef, amount }) => {
        network.record(reference, { type: 'paid', amount, paymentId: 'p' })
        expect(await network.status(reference, networkRef)).toEqual({ type: 'not_seen' })
        return { type: 'pending', networkRef: givenRef(reference) }
      }
      const { id } = await createdPayout(tenant, request(quote))
      await step(2)
      expect(await runWorker()).toMatchObject([{ status: 'completed' }])
      expect(await currentPayout()).toMatchObject({ networkRef: givenRef(id), networkPaymentId: 'p' })
    })
  })

  describe(`payouts in doubt, on ${name}`, () => {
    const kept = async ({ currentPayout, balance, source }: Begun): Promise<void> => {
      expect(await currentPayout()).toMatchObject({ status: 'processing' })
      expect(await balance()).toMatchObject({ held: source })
    }
    const codes = ({ alerts }: Begun) => alerts.map(({ code }) => code)

    /** Another payout, which completes now and is listed. */
    async function paidAlso({ createdPayout, tenant, request, network, ports }: Begun, isListed = true) {
      const payout = await createdPayout(tenant, request(await w.newQuote(tenant.id)))
      expect(payout.status).toBe('completed')
      if (isListed) network.rows.push(rowOf(payout.id, ports.now()))
      return payout
    }

    const rowOf = (reference: string, paidAt: Date, type: StatementRow['type'] = 'payment'): StatementRow => {
      const amount = { currency: 'BOB', minor: 10_000n } as const
      return { type, reference, networkRef: '', paymentId: `np-${reference}`, amount, paidAt }
    }

    /** Lets time pass, and then a worker poll. */
    async function pass({ step, runWorker }: Begun, seconds: number): Promise<void> {
      await step(seconds)
      await runWorker()
    }

    test('an unseen payout keeps its hold; nobody is alerted for 15 minutes, and then once', async () => {
      const begun = await inDoubt()
      for (const seconds of [2, 60, 600]) await pass(begun, seconds)
      expect(begun.alerts).toEqual([])
      for (const seconds of [300, 300, 600]) await pass(begun, seconds)
      await kept(begun)
      expect(codes(begun)).toEqual(['PROCESSING_TOO_LONG', 'NEEDS_OPERATOR'])
      expect(await begun.operate.cancel(operatorNamed('ana'), begun.id)).toEqual({
        type: 'refused',
        code: 'cannot_cancel',
      })
    })

    test('money that came back ends no payout', async () => {
      const begun = await inDoubt()
      begun.network.status = async () => ({ type: 'returned' })
      await pass(begun, 2)
      await kept(begun)
      expect(codes(begun)).toEqual(['UNEXPECTED_ANSWER'])
    })

    test('absence from the statement is a proof after its delay, with another payout of the books', async () => {
      const begun = await inDoubt(byStatement)
      await pass(begun, 60)
      await paidAlso(begun)
      await pass(begun, afterSeconds - 62)
      await kept(begun)
      await pass(begun, 600)
      expect(await begun.currentPayout()).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
      expect(await begun.balance()).toMatchObject({ held: 0n })
      expect(codes(begun)).toEqual(['PROCESSING_TOO_LONG'])
    })

    test.each<[string, (begun: Begun) => Promise<unknown>]>([
      ['no other payout', async () => undefined],
      ['another payout that is not listed', (begun) => paidAlso(begun, false)],
      ['two others of which one is not listed', async (begun) => [await paidAlso(begun), await paidAlso(begun, false)]],
    ])('absence proves nothing with %s: the payout is left to people', async (_, others) => {
      const begun = await inDoubt(byStatement)
      await pass(begun, 60)
      await others(begun)
      for (const seconds of [afterSeconds, 300, 600]) await pass(begun, seconds)
      await kept(begun)
      expect(codes(begun)).toEqual(['PROCESSING_TOO_LONG', 'NEEDS_OPERATOR'])
    })

    test('absence from the statement of a network that was confirmed after the order proves nothing', async () => {
      const begun = await inDoubt(byStatement)
      await pass(begun, 60)
      const { networks } = w
      await networks.meet('https://qr.test')
      const moved = { identity: 'https://other.test', by: 'ada', at: begun.ports.now(), reason: 'It has moved.' }
      expect(await networks.confirm(moved, credentialOf('ada'))).toBe('committed')
      await paidAlso(begun)
      await pass(begun, afterSeconds + 300)
      await kept(begun)
    })

    test.each<[string, StatementRow['type'][], string]>([
      ['a payment', ['payment'], 'completed'],
      ['a payment and its return', ['payment', 'return'], 'processing'],
    ])('%s in the statement is an answer', async (_, types, status) => {
      const begun = await inDoubt(byStatement)
      await pass(begun, 60)
      for (const type of types) begun.network.rows.push(rowOf(begun.id, begun.ports.now(), type))
      await pass(begun, afterSeconds + 300)
      expect(await begun.currentPayout()).toMatchObject({ status })
      expect(await begun.operate.query(operatorNamed('ana'), begun.id)).toMatchObject({ payout: { status } })
    })
  })
}
