import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { networkKinds } from '../../fixtures/payout/without-cancel.ts'
import { quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { type PayoutStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { newGate } from '../../fixtures/gate.ts'

/** Proves that all requests with one `transaction_id` are one payment. */
export function replayPayoutContract(name: string, open: OpenHarness<PayoutStores>): void {
  for (const kind of networkKinds) replayPayoutTests(name, open, kind)
}

function replayPayoutTests(
  name: string,
  open: OpenHarness<PayoutStores>,
  [kind, capabilities]: (typeof networkKinds)[number],
): void {
  describe(`repeating on ${name} with a network ${kind}`, () => {
    const w = useWorld(open, 'each')

    const begin = () => quotedTenant(w, usdt(1_000_000_000n), capabilities)
    /** A quoted tenant whose network answers when the gate opens. */
    const beginSlowly = async () => {
      const slow = await begin()
      const gate = newGate()
      const { answer } = slow.network
      slow.network.answer = async (order) => gate.pass().then(() => answer(order))
      return { ...slow, gate }
    }

    test('an equal request between the lookup and the commit of another: both return one payment', async () => {
      const { tenant, quote: accepted, network, create, request, payouts } = await begin()
      const gate = newGate()
      const find = payouts.findForCreate
      payouts.findForCreate = async (...args) => {
        const seen = await find(...args)
        await gate.pass()
        return seen
      }
      const slow = create(tenant, request(accepted))
      await gate.reached
      payouts.findForCreate = find
      const fast = await create(tenant, request(accepted))
      gate.open()
      expect(await slow).toEqual({ ...fast, replayed: true })
      expect(network.orders).toHaveLength(1)
    })

    test('a quote used by an equal request is a replay, not a refusal', async () => {
      const { tenant, quote: accepted, create, request, payouts } = await begin()
      const first = await create(tenant, request(accepted))
      const find = payouts.findForCreate
      payouts.findForCreate = async (...args) => {
        const found = await find(...args)
        return args[3] === 'latest' ? { ...found, stored: undefined } : found
      }
      expect(await create(tenant, request(accepted))).toEqual({ ...first, replayed: true })
    })

    test('the same transaction_id with another body is refused, with the id of its payout', async () => {
      const { tenant, quote: accepted, create, createdPayout, request } = await begin()
      const first = await createdPayout(tenant, request(accepted))
      const other = request(accepted, { fingerprint: 'v1:other' })
      const refusal = { type: 'refused', code: 'TRANSACTION_ID_REUSED', payoutId: first.id }
      expect(await create(tenant, other)).toEqual(refusal)
    })

    test('another body between the lookup and the commit of the first is refused, not given its payout', async () => {
      const { tenant, quote: accepted, network, createdPayout, create, request, payouts } = await begin()
      const gate = newGate()
      const find = payouts.findForCreate
      payouts.findForCreate = async (...args) => {
        const seen = await find(...args)
        await gate.pass()
        return seen
      }
      const slow = create(tenant, request(accepted, { fingerprint: 'v1:other' }))
      await gate.reached
      payouts.findForCreate = find
      const { id: payoutId } = await createdPayout(tenant, request(accepted))
      gate.open()
      expect(await slow).toEqual({ type: 'refused', code: 'TRANSACTION_ID_REUSED', payoutId })
      expect(network.orders).toHaveLength(1)
    })

    test('an equal request waits for the first and returns its outcome', async () => {
      const { tenant, quote: accepted, gate, network, create, request, step, untilIdle } = await beginSlowly()
      const first = create(tenant, request(accepted))
      await gate.reached
      const second = create(tenant, request(accepted))
      await step(12)
      gate.open()
      await untilIdle()
      await step(1)
      expect(await first).toMatchObject({ payout: { status: 'completed' }, replayed: false })
      expect(await second).toEqual({ ...(await first), replayed: true })
      expect(network.orders).toHaveLength(1)
    })

    test('a repeated request answers at once when the first has used up its time', async () => {
      const { tenant, quote: accepted, gate, create, request, step, untilIdle } = await beginSlowly()
      const first = create(tenant, request(accepted))
      await gate.reached
      await step(20)
      const answers: unknown[] = []
      const second = create(tenant, request(accepted)).then((each) => answers.push(each))
      await untilIdle()
      expect(answers).toMatchObject([{ replayed: true, payout: { status: 'processing' } }])
      gate.open()
      await untilIdle()
      await Promise.all([first, second])
    })

    test('a repeated request answers at once when the first has yielded its payout', async () => {
      const { tenant, quote: accepted, network, create, request } = await begin()
      network.answer = async () => ({ type: 'pending' })
      expect(await create(tenant, request(accepted))).toMatchObject({ payout: { status: 'processing' } })
      expect(await create(tenant, request(accepted))).toMatchObject({
        replayed: true,
        payout: { status: 'processing' },
      })
    })
  })
}
