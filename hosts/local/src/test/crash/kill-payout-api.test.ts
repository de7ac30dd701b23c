import { describe, test } from 'vitest'
import { expectConsistentPayout, untilEnded } from '../harness/expect-payout.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { killWhileAccepting, killWhileOrdering, payUnanswered, restart } from './kill.fixture.ts'

describe.concurrent('kill -9 of the API over a network that cancels', () => {
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
})
