import { describe, test } from 'vitest'
import { expectConsistentPayout, untilEnded } from '../harness/expect-payout.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { killWhileAccepting, killWhileOrdering, payUnanswered, restart } from './kill.fixture.ts'

describe.concurrent('kill -9 of the API', () => {
  test('before the payout is accepted: nothing is stored, and the repeated request pays', async ({ expect }) => {
    await using harness = await openPayoutHarness()
    const api = await harness.startApi()
    const order = await harness.order(api)
    await harness.network.setFaults({ hang_at: 'before_reading' })
    const answered = payUnanswered(api, order)
    await harness.network.untilHanging()

    await api.kill()
    expect(await answered).toBe(false)
    harness.network.release()
    expect(await harness.database.find(order)).toBeUndefined()

    const next = await restart(harness)
    expect(await next.pay(order)).toMatchObject({ status: 201, json: { status: 'completed' } })
    await expectConsistentPayout(expect, harness, next, order)
  })

  test('while the payout is being accepted: it is accepted, not paid, and its hold is released', async ({ expect }) => {
    await using harness = await openPayoutHarness()
    const order = await killWhileAccepting(expect, harness)
    const next = await restart(harness)
    const payout = await expectConsistentPayout(expect, harness, next, order)
    expect(payout).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
  })

  test('after it was accepted, before the payment request: its hold is released', async ({ expect }) => {
    await using harness = await openPayoutHarness()
    const order = await killWhileOrdering(expect, harness)
    const next = await restart(harness)
    const payout = await expectConsistentPayout(expect, harness, next, order)
    expect(payout).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
    expect(harness.network.requests(payout.id)).toMatchObject([{ put: 0 }])
  })

  test('while the network pays: it is completed', async ({ expect }) => {
    await using harness = await openPayoutHarness()
    const api = await harness.startApi()
    const order = await harness.order(api)
    await harness.network.setFaults({ hang_at: 'before_paying' })
    const answered = payUnanswered(api, order)
    await harness.network.untilHanging()

    await api.kill()
    expect(await answered).toBe(false)
    harness.network.release()

    const next = await restart(harness)
    expect(await expectConsistentPayout(expect, harness, next, order)).toMatchObject({ status: 'completed' })
  })

  test('while the network delays the payment: a worker cancels the reference, and it is not paid', async ({
    expect,
  }) => {
    await using harness = await openPayoutHarness()
    const api = await harness.startApi()
    const order = await harness.order(api)
    await harness.network.setFaults({ hang_at: 'before_paying' })
    const answered = payUnanswered(api, order)
    await harness.network.untilHanging()

    await api.kill()
    expect(await answered).toBe(false)
    const next = await restart(harness)
    await untilEnded(harness, order)
    harness.network.release()

    const payout = await expectConsistentPayout(expect, harness, next, order)
    expect(payout).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
    const [seen] = harness.network.requests(payout.id)
    await until('the network has answered the payment request', () =>
      harness.network.requests(payout.id)[0]?.requests.every(({ answer }) => answer !== null),
    )
    expect(seen).toMatchObject({ put: 1, cancel: 1 })
    expect(harness.network.ledger(payout.id)).toMatchObject({ payments: [], cancelled: [payout.id] })
  })

  test('after the network has paid, before settlement: it is completed', async ({ expect }) => {
    await using harness = await openPayoutHarness()
    const api = await harness.startApi()
    const order = await harness.order(api)
    await harness.network.setFaults({ hang_at: 'after_paying' })
    const answered = payUnanswered(api, order)
    await harness.network.untilHanging()

    await api.kill()
    expect(await answered).toBe(false)
    expect(await harness.database.find(order)).toMatchObject({ status: 'processing' })
    harness.network.release()

    const next = await restart(harness)
    expect(await expectConsistentPayout(expect, harness, next, order)).toMatchObject({ status: 'completed' })
  })

  test('while it is being settled: it is completed once', async ({ expect }) => {
    await using harness = await openPayoutHarness()
    const api = await harness.startApi()
    const order = await harness.order(api)
    await harness.network.setFaults({ hang_at: 'after_paying' })
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

  test('after it was settled, before the answer arrives: the repeated request gets the payout', async ({ expect }) => {
    await using harness = await openPayoutHarness()
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
