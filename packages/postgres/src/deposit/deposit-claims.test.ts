import {
  buildersOfAnotherTenant,
  type DepositBuilders,
  depositBuilders,
  settleDepositCommit,
} from '@quipu/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'

let harness: StoreHarness
let deposits: DepositBuilders
beforeAll(async () => {
  harness = await openStoreHarness()
  deposits = await depositBuilders(world())
})
afterAll(() => harness.close())

const world = () => ({ ...harness, ...harness.stores, advance: () => Promise.resolve() })

test('a claim is yielded in the name of its own tenant, and until the deposit is settled', async () => {
  const { tenantId } = await buildersOfAnotherTenant(world(), deposits)
  await deposits.due()
  const claimed = await deposits.claimOne()
  const { yieldClaim, commit } = harness.stores.deposits
  expect(await yieldClaim({ ...claimed.claim, tenantId }, 0)).toBe(false)
  expect(await harness.stores.deposits.claimDue(9, 100)).toEqual([])
  expect(await commit(settleDepositCommit(world(), claimed))).toBe('committed')
  expect(await yieldClaim(claimed.claim, 0)).toBe(false)
})
