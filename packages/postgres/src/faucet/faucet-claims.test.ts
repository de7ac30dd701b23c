import { accountOf, newSend } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import type { ClaimedSend } from '@quipu/core/adapter'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness({ clockOverride: () => now })
let now = new Date('2026-04-01T00:00:00.000Z')
let tenantId: string
const step = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1000)
}
beforeAll(async () => {
  // The first calls of a session take longest.
  await newSend(world(), (await harness.newTenant()).id)
})
beforeEach(async () => {
  step(2 * 86_400) // The usage of a test is its own.
  tenantId = (await harness.newTenant()).id
})

const world = () => ({ ...harness, ...harness.stores })
const sent = (millions: bigint, leaseSeconds = 0) =>
  newSend(world(), tenantId, { amount: usdt(millions * 1_000_000n), leaseSeconds })

/** The tenant's due sends. */
async function claimDue(): Promise<ClaimedSend[]> {
  const claimed = await harness.stores.faucet.claimDue(100, 100)
  return claimed.filter(({ claim }) => claim.tenantId === tenantId)
}

/** The sums of minutes, newest last, in USDT. */
const shared = async () => {
  const { usage } = await harness.stores.faucet.usage(tenantId, accountOf('a wallet'), 86_400)
  return usage.shared.toSorted((a, b) => a.at.getTime() - b.at.getTime()).map(({ amount }) => amount.minor / 1_000_000n)
}

test('a send that failed is subtracted from its own minute only', async () => {
  await sent(30n, 1_000)
  step(120)
  const failed = await sent(5n)
  await sent(7n, 1_000)
  step(120)
  await sent(40n, 1_000)
  expect(await shared()).toEqual([30n, 12n, 40n])
  const [claimed, ...more] = await claimDue()
  expect([claimed?.send.id, more]).toEqual([failed.id, []])
  if (claimed) await harness.stores.faucet.settle(claimed.claim, 'failed')
  expect(await shared()).toEqual([30n, 7n, 40n])
})
