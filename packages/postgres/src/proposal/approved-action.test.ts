import { approveAdjustment, someInstant } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import { failProposal } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

// Only an approved action is executed. Proposals to credit and to close a deposit have the same subject and details.

const harness = useStoreHarness()

async function approvedAdjustment() {
  const { id: tenantId } = await harness.newTenant()
  const author = { tenantId, reason: 'test', actor: 'ana' } as const
  const id = harness.ids.uuid(new Date())
  return approveAdjustment(harness.stores, { ...author, id, direction: 'in', amount: usdt(5n) })
}

/** Locks proposal $1 for its execution, with these columns ($2) instead of its own. */
const lock = `
  select quipu.lock_approved_proposal(p.tenant_id, p.id, p.action, p.subject, p.details, p.proposed_by, p.reason)
    as is_approved
  from quipu.proposal q, jsonb_populate_record(q, $2) p where q.id = $1`

test.each([
  ['another proposal', { id: 'prp_other' }],
  ['another tenant', { tenant_id: 'ten_other' }],
  ['another action', { action: 'credit_deposit' }],
  ['another subject', { subject: 'dep_other' }],
  ['other details', { details: { amount_minor: '6' } }],
  ['another proposer', { proposed_by: 'eva' }],
  ['another reason', { reason: 'other' }],
])('an approval is not one of %s', async (_, changed) => {
  const { id } = await approvedAdjustment()
  expect(await harness.sql(lock, [id, {}])).toEqual([{ is_approved: true }])
  expect(await harness.sql(lock, [id, changed])).toEqual([{ is_approved: false }])
})

test('a proposal that is being executed cannot fail meanwhile', async () => {
  const approved = await approvedAdjustment()
  const executing = await openTransaction(harness.stores.url)
  expect(await executing.sql(lock, [approved.id, {}])).toEqual([{ is_approved: true }])
  const failed = failProposal(approved, 'INSUFFICIENT_BALANCE', someInstant)
  const failing = harness.stores.proposals.fail(failed)
  expect(await doesWait(harness.sql, failing)).toBe(true)
  await executing.commit()
  expect(await failing).toBe('committed')
})
