import { describe, test } from 'vitest'
import { expectOneStory, untilEnded } from '../harness/expect-payout.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { Order, Tenant } from '../harness/tenant.fixture.ts'
import { openWorld, type World } from '../harness/payout-harness.fixture.ts'

/** Sends the payment, which nobody will answer. @returns whether it was answered after all */
const payInVain = (tenant: Tenant, order: Order): Promise<boolean> =>
  tenant.pay(order).then(
    () => true,
    () => false,
  )

/** An API in place of the killed one, and a worker. */
const restart = async (world: World): Promise<Tenant> => {
  world.openWorker()
  return world.openApi()
}

describe.concurrent('kill -9 of the API', () => {
  test('before the payout is applied: nothing was done, and the resend pays', async ({
    expect,
  }) => {
    await using world = await openWorld()
    const api = await world.startApi()
    const order = await world.order(api)
    await world.network.setFaults({ hold: 'before_reading' })
    const answered = payInVain(api, order)
    await world.network.untilHeld()

    await api.kill()
    expect(await answered).toBe(false)
    world.network.release()
    expect(await world.database.find(order)).toBeUndefined()

    const next = await restart(world)
    expect(await next.pay(order)).toMatchObject({ status: 201, json: { status: 'completed' } })
    await expectOneStory(expect, world, next, order)
  })

  test('while the payout is being applied: it is applied, never paid, and given back', async ({
    expect,
  }) => {
    await using world = await openWorld()
    const api = await world.startApi()
    const order = await world.order(api)
    const unlock = await world.database.lockWallets()
    const answered = payInVain(api, order)
    await world.database.untilBlocked('apply_payouts')

    await api.kill()
    expect(await answered).toBe(false)
    await unlock()
    await until('the write is through', () => world.database.find(order))

    const next = await restart(world)
    const payout = await expectOneStory(expect, world, next, order)
    expect(payout).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
  })

  test('after it was applied, before the network is asked: it is given back', async ({
    expect,
  }) => {
    await using world = await openWorld()
    const api = await world.startApi()
    const order = await world.order(api)
    const unlock = await world.database.lockWallets()
    const answered = payInVain(api, order)
    await world.database.untilBlocked('apply_payouts') // The QR has been read: what follows is the payment.
    const sent = world.wire.swallow()
    await unlock()
    await sent

    await api.kill()
    expect(await answered).toBe(false)
    expect(await world.database.find(order)).toMatchObject({ status: 'processing' })
    world.wire.pass()

    const next = await restart(world)
    const payout = await expectOneStory(expect, world, next, order)
    expect(payout).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
    expect(world.network.requests(payout.id)).toMatchObject([{ put: 0 }])
  })

  test('while the network is paying: it is completed when the network has paid', async ({
    expect,
  }) => {
    await using world = await openWorld()
    const api = await world.startApi()
    const order = await world.order(api)
    await world.network.setFaults({ hold: 'before_paying' })
    const answered = payInVain(api, order)
    await world.network.untilHeld()

    await api.kill()
    expect(await answered).toBe(false)
    world.network.release()

    const next = await restart(world)
    expect(await expectOneStory(expect, world, next, order)).toMatchObject({ status: 'completed' })
  })

  test('while the network dawdles: a worker fences the payment, which then cannot be made', async ({
    expect,
  }) => {
    await using world = await openWorld()
    const api = await world.startApi()
    const order = await world.order(api)
    await world.network.setFaults({ hold: 'before_paying' })
    const answered = payInVain(api, order)
    await world.network.untilHeld()

    await api.kill()
    expect(await answered).toBe(false)
    const next = await restart(world)
    await untilEnded(world, order)
    world.network.release()

    const payout = await expectOneStory(expect, world, next, order)
    expect(payout).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
    const [seen] = world.network.requests(payout.id)
    await until('the network answers the order', () =>
      world.network.requests(payout.id)[0]?.requests.every(({ answer }) => answer !== null),
    )
    expect(seen).toMatchObject({ put: 1, close: 1 })
    expect(world.network.ledger(payout.id)).toMatchObject({ payments: [], closed: [payout.id] })
  })

  test('after the network has paid, before that is settled: it is completed', async ({
    expect,
  }) => {
    await using world = await openWorld()
    const api = await world.startApi()
    const order = await world.order(api)
    await world.network.setFaults({ hold: 'after_paying' })
    const answered = payInVain(api, order)
    await world.network.untilHeld()

    await api.kill()
    expect(await answered).toBe(false)
    expect(await world.database.find(order)).toMatchObject({ status: 'processing' })
    world.network.release()

    const next = await restart(world)
    expect(await expectOneStory(expect, world, next, order)).toMatchObject({ status: 'completed' })
  })

  test('while it is being settled: it is completed, once', async ({ expect }) => {
    await using world = await openWorld()
    const api = await world.startApi()
    const order = await world.order(api)
    await world.network.setFaults({ hold: 'after_paying' })
    const answered = payInVain(api, order)
    await world.network.untilHeld()
    const unlock = await world.database.lockWallets()
    world.network.release()
    await world.database.untilBlocked('settle_payouts')

    await api.kill()
    expect(await answered).toBe(false)
    await unlock()

    const next = await restart(world)
    expect(await expectOneStory(expect, world, next, order)).toMatchObject({ status: 'completed' })
  })

  test('after it was settled, before the answer arrives: the resend is told', async ({
    expect,
  }) => {
    await using world = await openWorld()
    const api = await world.startApi()
    const order = await world.order(api)
    const tenant = await world.wireTo(api)
    tenant.onNextAnswer(() => api.signal('SIGKILL'))

    expect(await payInVain(tenant, order)).toBe(false)
    expect(await api.ended).toBe('SIGKILL')
    expect(await world.database.find(order)).toMatchObject({ status: 'completed' })

    const next = await restart(world)
    expect(await expectOneStory(expect, world, next, order)).toMatchObject({ status: 'completed' })
  })
})
