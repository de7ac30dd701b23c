import { adjustWallet, approveAdjustment, someInstant, presentedBy } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import { type ApprovedProposal, failProposal } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

/** Who may withdraw, and what a proposal of another tenant or id means. */
const harness = useStoreHarness()

const adjustmentOf = (tenantId: string) => {
  const author = { tenantId, reason: 'test', actor: 'ana' } as const
  return { id: harness.ids.uuid(new Date()), direction: 'in', amount: usdt(5n), ...author } as const
}
const statusOf = async (id: string) => (await harness.stores.proposals.find(id))?.status

/** An open proposal of `ana`. */
async function opened(tenantId: string): Promise<string> {
  const id = harness.ids.next('prp', someInstant)
  const values = [tenantId, id, presentedBy('ana')]
  const open = `select quipu.open_proposal($1, $2, 'adjust_wallet', $1, '{}', 'r', null, null, now(),
    now() + interval '1 hour', false, $3) as result`
  expect(await harness.sql(open, values)).toEqual([{ result: 'committed' }])
  return id
}

const withdraw = async (tenantId: string, id: string, person: string) => {
  const call = `select quipu.withdraw_proposal($1, $2, $3, now()) as result`
  return (await harness.sql(call, [tenantId, id, presentedBy(person)]))[0]?.['result']
}

test('a proposal is withdrawn by its proposer or an admin, in their own tenant', async () => {
  const [{ id: tenantId }, { id: other }] = [await harness.newTenant(), await harness.newTenant()]
  const [first, second] = [await opened(tenantId), await opened(tenantId)]
  expect(await withdraw(tenantId, first, 'nobody')).toBe('unauthorized')
  expect(await withdraw(tenantId, first, 'vic')).toBe('unauthorized') // only reads
  expect(await withdraw(tenantId, first, 'eva')).toBe('stale') // another operator
  expect(await withdraw(other, first, 'ana')).toBe('stale')
  expect([await statusOf(first), await statusOf(second)]).toEqual(['open', 'open'])
  expect(await withdraw(tenantId, first, 'ana')).toBe('committed')
  expect([await statusOf(first), await statusOf(second)]).toEqual(['withdrawn', 'open'])
  expect(await withdraw(tenantId, second, 'ben')).toBe('committed') // an admin
})

test('only the failed proposal fails, for its tenant, and another one is still executed', async () => {
  const [{ id: tenantId }, { id: other }] = [await harness.newTenant(), await harness.newTenant()]
  const [failing, fitting] = [adjustmentOf(tenantId), adjustmentOf(tenantId)]
  const approved: ApprovedProposal = await approveAdjustment(harness.stores, failing)
  await approveAdjustment(harness.stores, fitting)
  const failed = failProposal(approved, 'INSUFFICIENT_BALANCE', someInstant)
  const { proposals } = harness.stores
  expect(await proposals.fail({ ...failed, tenantId: other })).toBe('stale')
  expect(await statusOf(failing.id)).toBe('approved')
  expect(await proposals.fail(failed)).toBe('committed')
  expect(await adjustWallet(harness.stores, fitting)).toBe('committed')
})
