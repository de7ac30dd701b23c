import { describe, test } from 'vitest'
import { expectConsistentPayout } from '../harness/expect-payout.fixture.ts'
import { openOpenHubHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { killWhileAccepting, killWhileOrdering, restart } from './kill.fixture.ts'

describe.concurrent('kill -9 of the API over a network that cannot cancel', () => {
  test('before the order is marked: the payout is cancelled by itself, and never ordered', async ({ expect }) => {
    await using harness = await openOpenHubHarness()
    const order = await killWhileAccepting(expect, harness)
    const next = await restart(harness)
    const payout = await expectConsistentPayout(expect, harness, next, order)
    expect(payout).toMatchObject({ status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } })
    expect(harness.orderCount(payout.id)).toBe(0)
  })

  test('while its order is lost: the payout stays open, and is not ordered again', async ({ expect }) => {
    await using harness = await openOpenHubHarness()
    const order = await killWhileOrdering(expect, harness)
    const next = await restart(harness)
    const payout = await until('a worker has queried the payout, and another has it', async () => {
      const found = await harness.database.find(order)
      return found && (found.claim_count ?? 0) >= 2 ? found : undefined
    })
    expect(payout.status).toBe('processing')
    expect(await next.pay(order)).toMatchObject({ json: { id: payout.id, status: 'processing' } })
    expect([harness.orderCount(payout.id), harness.paid()]).toEqual([0, []])
  })
})
