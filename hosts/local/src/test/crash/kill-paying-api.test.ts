import { describe, test } from 'vitest'
import { expectConsistentPayout } from '../harness/expect-payout.fixture.ts'
import { harnesses } from '../harness/payout-harness.fixture.ts'
import { killAt, payUnanswered, restart } from './kill.fixture.ts'

for (const [kind, open, tags] of harnesses)
  describe.concurrent(`kill -9 of the API over a network ${kind}`, { tags }, () => {
    test('before the payout is accepted: nothing is stored, and the repeated request pays', async ({ expect }) => {
      await using harness = await open()
      const order = await killAt(expect, harness, 'before_reading')
      expect(await harness.database.find(order)).toBeUndefined()

      const next = await restart(harness)
      expect(await next.pay(order)).toMatchObject({ status: 201, json: { status: 'completed' } })
      await expectConsistentPayout(expect, harness, next, order)
    })

    test.for(['before_paying', 'after_paying'] as const)(
      'during its order, %s: it is completed',
      async (point, { expect }) => {
        await using harness = await open()
        const order = await killAt(expect, harness, point)
        const next = await restart(harness)
        expect(await expectConsistentPayout(expect, harness, next, order)).toMatchObject({ status: 'completed' })
      },
    )

    test('while it is being settled: it is completed once', async ({ expect }) => {
      await using harness = await open()
      const api = await harness.startApi()
      const order = await harness.order(api)
      await harness.hangAt('after_paying')
      const answered = payUnanswered(api, order)
      await harness.network.untilHanging()
      const unlock = await harness.database.lockWallets()
      harness.network.release()
      await harness.database.untilBlocked('settle_payouts')

      await api.kill()
      expect(await answered).toBe(false)
      await unlock()

      const next = await restart(harness)
      expect(await expectConsistentPayout(expect, harness, next, order)).toMatchObject({ status: 'completed' })
    })

    test('after it was settled, before the answer arrives: the repeated request gets the payout', async ({
      expect,
    }) => {
      await using harness = await open()
      const api = await harness.startApi()
      const order = await harness.order(api)
      const tenant = await harness.proxyTo(api)
      tenant.onNextAnswer(() => api.signal('SIGKILL'))

      expect(await payUnanswered(tenant, order)).toBe(false)
      expect(await api.ended).toBe('SIGKILL')
      expect(await harness.database.find(order)).toMatchObject({ status: 'completed' })

      const next = await restart(harness)
      expect(await expectConsistentPayout(expect, harness, next, order)).toMatchObject({ status: 'completed' })
    })
  })
