import { approveAdjustment, presentedBy } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

/** Statements that the database refuses from every writer. */
const harness = useStoreHarness()
let tenantId: string
beforeAll(async () => {
  tenantId = (await harness.newTenant()).id
})

const refused = (text: string, why: RegExp) => expect(harness.sql(text)).rejects.toThrow(why)
const adjustmentOf = (id: string) =>
  ({ id, tenantId, direction: 'in', amount: usdt(5n), reason: 'test', actor: 'ana' }) as const
const change = (id: string, to: string): string => `update quipu.proposal set ${to} where id = '${id}'`

const approve = (by: string): string =>
  `status = 'approved', approved_at = created_at, approved_by = ${by},
  approved_with = case when ${by} is not null then 'opt_1' end`

test('a proposal is never approved by its proposer, nor late', async () => {
  await approveAdjustment(harness.stores, adjustmentOf('template'))
  await harness.sql(`
    insert into quipu.proposal (id, tenant_id, action, subject, details, reason, proposed_by,
      proposed_with, created_at, expires_at, status)
    select 'open', tenant_id, action, subject, details, reason, proposed_by, proposed_with, created_at,
      expires_at, 'open'
    from quipu.proposal where id = 'template'`)
  await refused(change('open', approve(`'ana'`)), /approver_is_another_person/)
  const late = `status = 'approved', approved_at = expires_at, approved_by = 'eva', approved_with = 'opt_1'`
  await refused(change('open', late), /approved_in_time/)
  await refused(change('open', `status = 'executed', executed_at = now()`), /open_comes_first/)
})

test('a proposal stays what was approved, and its end is final', async () => {
  const adjustment = adjustmentOf('approved')
  await approveAdjustment(harness.stores, adjustment)
  for (const to of [
    `details = '{}'`,
    `subject = 'x'`,
    `action = 'close_deposit'`,
    `reason = 'x'`,
    `proposed_by = 'x'`,
    `proposed_with = 'x'`,
    `proposed_from = 'x'`,
    `expires_at = 'infinity'`,
  ])
    await refused(change('approved', to), /can change only in/)
  for (const to of [`approved_by = 'ben'`, `approved_with = 'opt_1'`])
    await refused(change('approved', to), /approval_is_final/)
  await refused(
    change('approved', `status = 'open', approved_at = null, approved_by = null, approved_with = null`),
    /approval_is_final/,
  )
  expect(await harness.stores.wallets.adjust(adjustment)).toBe('committed')
  const again = `status = 'approved', executed_at = null`
  await refused(change('approved', again), /ended_is_final/)
  await refused('delete from quipu.proposal', /can change only in/)
  await refused('truncate quipu.proposal', /append-only/)
})

test('an action that one person may not decide needs its approver', async () => {
  const call = `select quipu.open_proposal('${tenantId}', 'alone', 'other', 'x', '{}', 'r', null, null, now(),
    now() + interval '1 hour', true, '${presentedBy('ana')}')`
  await refused(call, /proposal_action_check|one_person_suffices/)
})

test('a settlement of a payout needs two people and evidence, whatever the limit', async () => {
  const call = (evidence: string, isWithinLimit: boolean): string =>
    `select quipu.open_proposal('${tenantId}', 'settle', 'settle_payout', 'po_1', '{"outcome": "cancelled"}',
      'r', ${evidence}, now(), now() + interval '1 hour', ${isWithinLimit}, '${presentedBy('ana')}')`
  await refused(call(`'note', 'digest'`, true), /one_person_suffices/)
  await refused(call('null, null', false), /evidence_of_settlement/)
  await harness.sql(call(`'note', 'digest'`, false))
  await refused(change('settle', approve('null')), /one_person_suffices/)
  await refused(change('settle', approve(`'ana'`)), /approver_is_another_person/)
})
