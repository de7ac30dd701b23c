import { describe, expect, test } from 'vitest'
import { usdt } from '../money.ts'
import { type OpenHarness, useWorld } from './harness.ts'
import { gate, rig } from './rig.ts'

/** Proves that one `transaction_id` is one payment, however often and whenever it is asked for. */
export function repeatingContract(name: string, open: OpenHarness): void {
  describe(`repeating on ${name}`, () => {
    const world = useWorld(open, 'each')

    async function wallet() {
      const tenantId = await world().newWallet(usdt(1_000_000_000n))
      const tenant = await world().tenants.find(tenantId)
      if (!tenant) throw new Error('the tenant was just created')
      return { tenant, quote: () => world().newQuote(tenantId) }
    }

    test('an equal request between another’s first look and its apply: both get the same payment', async () => {
      const { tenant, quote } = await wallet()
      const { network, create, request, payouts } = rig(world())
      const accepted = await quote()
      const door = gate()
      const look = payouts.look
      payouts.look = async (...given) => {
        const seen = await look(...given)
        await door.pass()
        return seen
      }
      const slow = create(tenant, request(accepted))
      await door.reached
      payouts.look = look
      const fast = await create(tenant, request(accepted))
      door.open()
      expect(await slow).toEqual({ ...fast, replayed: true })
      expect(network.orders).toHaveLength(1)
    })

    test('a quote that an equal request has just used is never a refusal', async () => {
      const { tenant, quote } = await wallet()
      const { create, request, payouts } = rig(world())
      const accepted = await quote()
      const first = await create(tenant, request(accepted))
      const look = payouts.look
      payouts.look = async (...given) => ({ ...(await look(...given)), known: undefined })
      expect(await create(tenant, request(accepted))).toEqual({ ...first, replayed: true })
    })

    test('the same id with another body is refused and names the payout that has it', async () => {
      const { tenant, quote } = await wallet()
      const { create, paid, request } = rig(world())
      const accepted = await quote()
      const first = await paid(tenant, request(accepted))
      const other = request(accepted, { fingerprint: 'v1:other' })
      const refusal = { type: 'refused', code: 'TRANSACTION_ID_REUSED', payoutId: first.id }
      expect(await create(tenant, other)).toEqual(refusal)
    })

    test('a second equal request waits for the first and gets the same outcome', async () => {
      const { tenant, quote } = await wallet()
      const { network, create, request, step, quiet } = rig(world())
      const accepted = await quote()
      const door = gate()
      const { answer } = network
      network.answer = async (order) => door.pass().then(() => answer(order))
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

    test('a processing payout that its request has given up is answered at once', async () => {
      const { tenant, quote } = await wallet()
      const { network, create, request } = rig(world())
      network.answer = async () => ({ type: 'late' })
      const accepted = await quote()
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
