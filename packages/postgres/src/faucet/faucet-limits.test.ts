import { accountOf, commitSend, newSend } from '@quipu/contracts'
import { type FaucetLimits, type FaucetSend, usdt } from '@quipu/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

// The decisions of `accept_faucet_send` by itself, for a caller that has checked nothing. Each send is of 25 USDT.

const day = 86_400
const harness = useStoreHarness({ clockOverride: () => now })
let now = new Date('2026-04-01T00:00:00.000Z')
let days = 0
let tenantId: string
const step = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1000)
}
beforeAll(async () => {
  // The first calls of a session take longest.
  await newSend(world(), (await harness.newTenant()).id)
})
beforeEach(async () => {
  now = new Date(Date.UTC(2026, 3, (days += 3))) // The usage of a test is its own.
  tenantId = (await harness.newTenant()).id
})

const world = () => ({ ...harness, ...harness.stores })
const checkLimits = () => ({ remainingToday: usdt(0n) })
/** A number of sends, in micro-USDT. */
const sends = (count: bigint) => usdt(count * 25_000_000n)

type Over = { readonly account?: string; readonly tenant?: string }
const commit = (limits: Partial<FaucetLimits>, { account, tenant = tenantId }: Over = {}) =>
  commitSend(world(), tenant, { checkLimits, limits, ...(account && { account }) })
const accepted = async (limits: Partial<FaucetLimits>, over?: Over) =>
  expect(await commit(limits, over)).toMatchObject({ type: 'committed' })
const refused = (limits: Partial<FaucetLimits>, over?: Over) =>
  expect(commit(limits, over)).rejects.toThrow('exceeds a limit')

test('the first send of a tenant, to an address and of a window is below each limit, too', async () => {
  const one = usdt(24_999_999n)
  for (const limits of [
    { perRequest: one },
    { perTenant: one },
    { perAddress: one },
    { shared: one },
    { requestsPerTenant: 0 },
  ])
    await refused(limits)
  const { usage } = await harness.stores.faucet.usage(tenantId, accountOf('a wallet'), day)
  expect(usage).toEqual({ tenant: [], address: [], shared: [] })
})

test('a send may reach every limit, and not a micro-USDT more', async () => {
  await newSend(world(), tenantId)
  step(60)
  const exact = {
    perRequest: sends(1n),
    perTenant: sends(2n),
    perAddress: sends(2n),
    shared: sends(2n),
    requestsPerTenant: 2,
    spacingSeconds: 60,
  }
  for (const limits of [
    { perTenant: usdt(49_999_999n) },
    { perAddress: usdt(49_999_999n) },
    { shared: usdt(49_999_999n) },
    { requestsPerTenant: 1 },
    { spacingSeconds: 60.001 },
  ])
    await refused({ ...exact, ...limits })
  await accepted(exact)
})

test('limits of a tenant and of an address count its own sends only', async () => {
  const other = (await harness.newTenant()).id
  await newSend(world(), other)
  await accepted({ perTenant: sends(1n), requestsPerTenant: 1, spacingSeconds: 60 })
  await accepted({ perAddress: sends(1n) }, { account: accountOf('another wallet') })
  // The other tenant's send to the same address does count.
  await refused({ perAddress: sends(2n) })
  await accepted({ perAddress: sends(3n) })
})

test('a send is counted for the whole window and no longer, with its minute for all', async () => {
  step(59.999) // The last instant of a minute.
  await newSend(world(), tenantId)
  const limits = [{ perTenant: sends(1n) }, { perAddress: sends(1n) }, { shared: sends(1n) }, { requestsPerTenant: 1 }]
  step(day - 0.001)
  for (const each of limits) await refused(each)
  step(0.001)
  await accepted({ ...Object.assign({}, ...limits), spacingSeconds: day + 1 })
})

describe('a send that failed', () => {
  let failed: FaucetSend
  beforeEach(async () => {
    failed = await newSend(world(), tenantId, { leaseSeconds: 0 })
    const claimed = await harness.stores.faucet.claimDue(100, 100)
    const mine = claimed.find(({ send }) => send.id === failed.id)
    if (mine) await harness.stores.faucet.settle(mine.claim, 'failed')
  })

  test('counts in no amount', () => accepted({ perTenant: sends(1n), perAddress: sends(1n), shared: sends(1n) }))

  test('counts as a request, and for the spacing', async () => {
    await refused({ requestsPerTenant: 1 })
    await refused({ spacingSeconds: 1 })
  })
})
