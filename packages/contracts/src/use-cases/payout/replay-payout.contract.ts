import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { desk } from '../../fixtures/payout/quoted-tenant.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { gate } from '../../fixtures/payout/payout-harness.ts'

/** Proves that one `transaction_id` is one payment, however often and whenever it is asked for. */
export function repeatingContract(name: string, open: OpenHarness): void {
  describe(`repeating on ${name}`, () => {
    const world = useWorld(open, 'each')

    const begin = () => desk(world(), usdt(1_000_000_000n))
    /** The network answers when the door is opened. */
    const beginSlowly = async () => {
      const slow = await begin()
      const door = gate()
      const { answer } = slow.network
      slow.network.answer = async (order) => door.pass().then(() => answer(order))
      return { ...slow, door }
    }

    test('an equal request between another’s first look and its apply: both get the same payment', async () => {
      const { tenant, quote: accepted, network, create, request, payouts } = await begin()
      const door = gate()
      const find = payouts.findForCreate
      payouts.findForCreate = async (...given) => {
        const seen = await find(...given)
        await door.pass()
        return seen
      }
      const slow = create(tenant, request(accepted))
      await door.reached
      payouts.findForCreate = find
      const fast = await create(tenant, request(accepted))
      door.open()
      expect(await slow).toEqual({ ...fast, replayed: true })
      expect(network.orders).toHaveLength(1)
    })

    test('a quote that an equal request has just used is never a refusal', async () => {
      const { tenant, quote: accepted, create, request, payouts } = await begin()
      const first = await create(tenant, request(accepted))
      const find = payouts.findForCreate
      payouts.findForCreate = async (...given) => {
        const found = await find(...given)
        return given[3] === 'latest' ? { ...found, stored: undefined } : found
      }
      expect(await create(tenant, request(accepted))).toEqual({ ...first, replayed: true })
    })

    test('the same id with another body is refused and names the payout that has it', async () => {
      const { tenant, quote: accepted, create, paid, request } = await begin()
      const first = await paid(tenant, request(accepted))
      const other = request(accepted, { fingerprint: 'v1:other' })
      const refusal = { type: 'refused', code: 'TRANSACTION_ID_REUSED', payoutId: first.id }
      expect(await create(tenant, other)).toEqual(refusal)
    })

    test('a second equal request waits for the first and gets the same outcome', async () => {
      const {
        tenant,
        quote: accepted,
        door,
        network,
        create,
        request,
        step,
        quiet,
      } = await beginSlowly()
      const first = create(tenant, request(accepted))
      await door.reached
      const second = create(tenant, request(accepted))
      await step(12)
      door.open()
      await quiet()
      await step(1)
      expect(await first).toMatchObject({ payout: { status: 'completed' }, replayed: false })
      expect(await second).toEqual({ ...(await first), replayed: true })
      expect(network.orders).toHaveLength(1)
    })

    test('a repeated request whose first has used up the time to answer is answered at once', async () => {
      const { tenant, quote: accepted, door, create, request, step, quiet } = await beginSlowly()
      const first = create(tenant, request(accepted))
      await door.reached
      await step(20)
      const answers: unknown[] = []
      const second = create(tenant, request(accepted)).then((each) => answers.push(each))
      await quiet()
      expect(answers).toMatchObject([{ replayed: true, payout: { status: 'processing' } }])
      door.open()
      await quiet()
      await Promise.all([first, second])
    })

    test('a processing payout that its request has given up is answered at once', async () => {
      const { tenant, quote: accepted, network, create, request } = await begin()
      network.answer = async () => ({ type: 'late' })
      expect(await create(tenant, request(accepted))).toMatchObject({
        payout: { status: 'processing' },
      })
      expect(await create(tenant, request(accepted))).toMatchObject({
        replayed: true,
        payout: { status: 'processing' },
      })
    })
  })
}
