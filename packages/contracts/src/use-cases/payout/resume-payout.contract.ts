import { describe, expect, test } from 'vitest'
import { Unavailable, usdt } from '@quipu/core'
import { type PayoutStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { networkKinds } from '../../fixtures/payout/without-cancel.ts'
import { newGate } from '../../fixtures/gate.ts'

const funds = 1_000_000_000n

/** Proves that a payout that its request did not settle is settled once, by the network's record. */
export function resumePayoutContract(name: string, open: OpenHarness<PayoutStores>): void {
  for (const kind of networkKinds) anyNetworkTests(name, open, kind)

  describe(`resuming on ${name}`, () => {
    const w = useWorld(open, 'each')

    const begin = () => quotedTenant(w, usdt(funds))

    test.each<[string, boolean, string]>([
      ['after the payment', true, 'completed'],
      ['before the payment', false, 'cancelled'],
    ])(
      'the owner’s lease ends %s: the worker settles, and the owner returns the same',
      async (_, paidFirst, status) => {
        const {
          tenant,
          quote,
          network,
          create,
          request,
          step,
          untilIdle,
          runWorker,
          payouts,
          balance,
          source,
          eventTypes,
        } = await begin()
        payouts.renew = async () => false
        const gate = newGate()
        const { answer } = network
        network.answer = async (order) => {
          if (!paidFirst) return gate.pass().then(() => answer(order))
          const paid = await answer(order)
          return gate.pass().then(() => paid)
        }
        const paying = create(tenant, request(quote))
        await gate.reached
        await step(16)
        payouts.renew = (...args) => w.payouts.renew(...args)
        expect(await runWorker()).toMatchObject([{ status }])
        gate.open()
        await untilIdle()
        const answered = await paying
        expect(answered).toMatchObject({ payout: { status } })
        const cost = paidFirst ? source : 0n
        expect(await balance()).toEqual({ available: funds - cost, held: 0n })
        const id = answered.type === 'payout' ? answered.payout.id : ''
        expect(await eventTypes(id)).toHaveLength(1)
        expect(network.payments.get(id)?.timesPaid).toBe(paidFirst ? 1 : 0)
      },
    )

    test.each<[string, number]>([
      ['a day', 24 * 3_600],
      ['a year', 365 * 24 * 3_600],
    ])('an order that is not seen for %s keeps its hold until it is cancelled', async (_, age) => {
      const { tenant, quote, network, create, request, runWorker, balance, source } = await begin()
      network.answer = async () => ({ type: 'unknown', reason: 'timeout' })
      await create(tenant, request(quote))
      const { cancel } = network
      let isReachable = false
      network.cancel = async (...args) =>
        (isReachable ? await cancel?.(...args) : undefined) ?? { type: 'unknown', reason: 'timeout' }
      for (const seconds of [60, age]) {
        await w.advance(seconds)
        expect(await runWorker()).toMatchObject([{ status: 'processing' }])
        expect(await balance()).toEqual({ available: funds - source, held: source })
      }
      isReachable = true
      await w.advance(300)
      expect(await runWorker()).toMatchObject([{ status: 'cancelled' }])
      expect(await balance()).toEqual({ available: funds, held: 0n })
    })

    test('a cancel after the order arrived settles the payout as paid', async () => {
      const { tenant, quote, network, create, request, step, runWorker, payouts, currentPayout } = await begin()
      payouts.commit = async (write) =>
        write.kind === 'settle' ? Promise.reject(new Unavailable('store', 'connection lost')) : w.payouts.commit(write)
      network.answer = async () => ({ type: 'unknown', reason: 'timeout' })
      await create(tenant, request(quote))
      payouts.commit = (write) => w.payouts.commit(write)
      const { cancel } = network
      network.cancel = async (reference, ref) => {
        network.record(reference, { type: 'paid', amount: quote.target, paymentId: 'p' }) // The order arrives first.
        if (!cancel) throw new Error('this network can cancel')
        return cancel(reference, ref)
      }
      await step(2)
      await runWorker()
      expect(await currentPayout()).toMatchObject({ status: 'completed' })
    })

    test('cancels an unseen reference at the network before it cancels the payout', async () => {
      const { tenant, quote, network, create, request, step, runWorker, balance, currentPayout, eventTypes } =
        await begin()
      network.answer = async () => ({ type: 'unknown', reason: 'connection reset' })
      await create(tenant, request(quote))
      await step(2)
      await runWorker()
      const ended = await currentPayout()
      expect(ended).toMatchObject({
        status: 'cancelled',
        error: { code: 'PAYMENT_CANCELLED' },
        quote: { id: quote.id },
      })
      expect(network.payments.get(ended?.id ?? '')?.answer).toEqual({ type: 'cancelled' })
      expect(await balance()).toEqual({ available: funds, held: 0n })
      expect(await eventTypes(ended?.id ?? '')).toEqual(['payout.cancelled'])
    })

    test('an outcome that cannot be stored throws Unavailable; a worker settles it, and a repeat returns it', async () => {
      const { tenant, quote, create, request, step, runWorker, payouts, balance, source } = await begin()
      payouts.commit = async (write) =>
        write.kind === 'settle' ? Promise.reject(new Unavailable('store', 'gone')) : w.payouts.commit(write)
      await expect(create(tenant, request(quote))).rejects.toBeInstanceOf(Unavailable)
      payouts.commit = (write) => w.payouts.commit(write)
      await step(15)
      await runWorker()
      expect(await create(tenant, request(quote))).toMatchObject({ replayed: true, payout: { status: 'completed' } })
      expect(await balance()).toEqual({ available: funds - source, held: 0n })
    })

    test('a network that contradicts a settled payout changes nothing and raises an alert', async () => {
      const { tenant, quote, network, create, request, step, untilIdle, runWorker, payouts, currentPayout, alerts } =
        await begin()
      payouts.renew = async () => false
      const gate = newGate()
      network.answer = async (order) =>
        gate.pass().then(() => ({ type: 'paid' as const, amount: order.amount, paymentId: 'p' }))
      const paying = create(tenant, request(quote))
      await gate.reached
      await step(16)
      payouts.renew = (...args) => w.payouts.renew(...args)
      await runWorker()
      gate.open()
      await untilIdle()
      await paying
      expect(await currentPayout()).toMatchObject({ status: 'cancelled' })
      expect(alerts).toEqual([])
      const { items } = await w.differences.list({ limit: 9 })
      expect(items).toMatchObject([{ kind: 'contradicts', detail: 'cancelled, then paid' }])
    })
  })
}

function anyNetworkTests(
  name: string,
  open: OpenHarness<PayoutStores>,
  [kind, capabilities]: (typeof networkKinds)[number],
): void {
  describe(`resuming on ${name} with a network ${kind}`, () => {
    const w = useWorld(open, 'each')

    const begin = () => quotedTenant(w, usdt(funds), capabilities)

    test('without a network answer after 20 s: processing with its hold; the late answer settles it', async () => {
      const { tenant, quote, network, create, request, step, untilIdle, balance, eventTypes, currentPayout, source } =
        await begin()
      const gate = newGate()
      const { answer } = network
      network.answer = async (order) => gate.pass().then(() => answer(order))
      const paying = create(tenant, request(quote))
      await gate.reached
      await step(20)
      expect(await paying).toMatchObject({ replayed: false, payout: { status: 'processing' } })
      expect(await balance()).toEqual({ available: funds - source, held: source })
      await step(40)
      gate.open()
      await untilIdle()
      const ended = await currentPayout()
      expect(ended).toMatchObject({ status: 'completed' })
      expect(await balance()).toEqual({ available: funds - source, held: 0n })
      expect(await eventTypes(ended?.id ?? '')).toEqual(['payout.completed'])
    })

    test('a QR refused late fails the payout, with an event', async () => {
      const { tenant, quote, network, create, request, step, untilIdle, balance, eventTypes, currentPayout } =
        await begin()
      const gate = newGate()
      network.answer = async () => gate.pass().then(() => ({ type: 'refused_qr' as const }))
      const paying = create(tenant, request(quote))
      await gate.reached
      await step(20)
      await paying
      gate.open()
      await untilIdle()
      const ended = await currentPayout()
      expect(ended).toMatchObject({ status: 'failed', error: { code: 'PAYMENT_FAILED' } })
      expect(await eventTypes(ended?.id ?? '')).toEqual(['payout.failed'])
      expect(await balance()).toEqual({ available: funds, held: 0n })
    })

    test('calls the network 2, 5, 10, 30 and 60 s after the owner yielded, then every 5 minutes', async () => {
      const { tenant, quote, network, create, request, step, runWorker, alerts } = await begin()
      network.answer = async (order) => network.record(order.reference, { type: 'pending' })
      await create(tenant, request(quote))
      const calledAt: number[] = []
      for (let second = 1; second <= 1000; second++) {
        await step(1)
        const before = network.statusCalls.length
        await runWorker()
        if (network.statusCalls.length > before) calledAt.push(second)
      }
      expect(calledAt).toEqual([2, 5, 10, 30, 60, 360, 660, 960])
      expect(alerts.map(({ code }) => code)).toEqual(['PROCESSING_TOO_LONG'])
    })
  })
}
