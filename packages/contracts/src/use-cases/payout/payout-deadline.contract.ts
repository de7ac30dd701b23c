import { describe, expect, test } from 'vitest'
import { Unavailable, usdt } from '@quipu/core'
import { desk } from '../../fixtures/payout/quoted-tenant.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { gate, reads } from '../../fixtures/payout/payout-harness.ts'

/** Proves that a request is answered by its deadline, and neither applies nor pays after it. */
export function deadlineContract(name: string, open: OpenHarness): void {
  describe(`deadlines on ${name}`, () => {
    const world = useWorld(open, 'each')

    /** A wallet, a quote, and a network or store that the test holds at a gate. */
    const begin = async () => ({ ...(await desk(world(), usdt(1_000_000_000n))), door: gate() })

    /** A request whose commit has taken effect, and is answered when the door opens. */
    const beginCommitting = async () => {
      const begun = await begin()
      const { tenant, quote, create, request, payouts, door } = begun
      const commit = payouts.commit
      payouts.commit = async (write) => {
        const committed = await commit(write)
        await door.pass()
        return committed
      }
      const answer = create(tenant, request(quote))
      await door.reached
      payouts.commit = commit
      return { ...begun, answer }
    }

    test('a QR that is read too late is not applied, and its id stays free', async () => {
      const { tenant, quote, network, create, request, step, door } = await begin()
      network.read = async () => door.pass().then(() => reads())
      const answer = create(tenant, request(quote))
      await door.reached
      const outcome = answer.catch((error: unknown) => error)
      await step(20)
      door.open()
      expect(await outcome).toBeInstanceOf(Unavailable)
      network.read = async () => reads()
      expect(await create(tenant, request(quote))).toMatchObject({ replayed: false })
      expect(network.orders).toHaveLength(1)
    })

    test('a commit that ends after the deadline is not paid: a worker cancels the payout', async () => {
      const { tenant, quote, network, create, request, step, work, door, answer } =
        await beginCommitting()
      const outcome = answer.catch((error: unknown) => error)
      await step(20)
      door.open()
      expect(await outcome).toBeInstanceOf(Unavailable)
      expect(network.orders).toEqual([])
      expect(await work()).toMatchObject([
        { status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } },
      ])
      expect(await create(tenant, request(quote))).toMatchObject({
        payout: { status: 'cancelled' },
        replayed: true,
      })
    })

    test('a commit that outlives its lease leaves the payout to the worker that has claimed it', async () => {
      const { network, step, work, door, answer } = await beginCommitting()
      await step(16)
      expect(await work()).toMatchObject([{ status: 'cancelled' }])
      door.open()
      expect(await answer).toMatchObject({ payout: { status: 'cancelled' }, replayed: true })
      expect(network.orders).toEqual([])
    })

    for (const hours of [-1, 1]) {
      test(`a repeated request is answered in time when its creator’s clock is ${hours} h off`, async () => {
        const { tenant, quote, network, create, request, payouts, step, door } = await begin()
        network.answer = async () => door.pass().then(() => ({ type: 'late' }) as const)
        const first = create(tenant, request(quote))
        await door.reached
        const find = payouts.find
        payouts.find = async (...given) => {
          const known = await find(...given)
          return known && { ...known, ageMs: known.ageMs - hours * 3_600_000 }
        }
        const findForCreate = payouts.findForCreate
        payouts.findForCreate = async (...given) => {
          const found = await findForCreate(...given)
          const { stored } = found
          return {
            ...found,
            stored: stored && { ...stored, ageMs: stored.ageMs - hours * 3_600_000 },
          }
        }
        let answered = false
        const second = create(tenant, request(quote)).finally(() => {
          answered = true
        })
        await step(21)
        expect(answered).toBe(true)
        expect(await second).toMatchObject({ payout: { status: 'processing' }, replayed: true })
        expect(await first).toMatchObject({ payout: { status: 'processing' }, replayed: false })
        door.open()
      })
    }

    test('an equal request that comes a second later is answered within its own time', async () => {
      const { tenant, quote, network, create, request, step } = await begin()
      const [readings, door] = [[gate(), gate()], gate()]
      network.read = async () => {
        await readings[network.readings.length - 1]?.pass()
        return reads()
      }
      network.answer = async () => door.pass().then(() => ({ type: 'late' }) as const)
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
      await door.reached
      readings[1]?.open()
      await pass(20)
      expect(await first).toMatchObject({ payout: { status: 'processing' } })
      expect(await second).toMatchObject({ payout: { status: 'processing' }, replayed: true })
      expect(answeredAt).toBeLessThanOrEqual(21)
      door.open()
    })
  })
}
