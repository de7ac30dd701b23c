import { buildersOfAnotherTenant, type DepositBuilders, depositBuilders, settleDepositCommit } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()
let deposits: DepositBuilders
beforeAll(async () => {
  deposits = await depositBuilders(harness.world)
})

test('a claim is yielded in the name of its own tenant, and until the deposit is settled', async () => {
  const { tenantId } = await buildersOfAnotherTenant(harness.world, deposits)
  await deposits.due()
  const claimed = await deposits.claimOne()
  const { yieldClaim, commit } = harness.stores.deposits
  expect(await yieldClaim({ ...claimed.claim, tenantId }, 0, 'late')).toBe(false)
  expect(await harness.stores.deposits.claimDue(9, 100)).toEqual([])
  expect(await commit(settleDepositCommit(harness.world, claimed))).toBe('committed')
  expect(await yieldClaim(claimed.claim, 0, 'late')).toBe(false)
})

test('a deposit that another transaction holds is left out of a claim, which does not wait for it', async () => {
  const [held, free] = await deposits.due({}, {})
  const holding = await openTransaction(harness.stores.url)
  await holding.sql('select from quipu.deposit where id = $1 for update', [held?.id])
  const { claimDue } = harness.stores.deposits
  const claiming = claimDue(9, 100)
  const isWaiting = await doesWait(harness.sql, claiming)
  await holding.commit()
  expect(isWaiting).toBe(false)
  expect((await claiming).map(({ deposit }) => deposit.id)).toEqual([free?.id])
  expect((await claimDue(9, 100)).map(({ deposit }) => deposit.id)).toEqual([held?.id])
})
