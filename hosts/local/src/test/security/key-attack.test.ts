import { presentedBy } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { roleDatabase } from '../harness/database-role.fixture.ts'

const unknown = JSON.stringify({ token_hash: 'ab'.repeat(32) })
const [ada, ana] = [presentedBy('ada'), presentedBy('ana')]

const keyJson = (id: string, scope: string, prefix: string) =>
  JSON.stringify({ id, tenant_id: 't', name: 'x', prefix, last_four: 'abcd', hash: id, scopes: [scope] })

const terms = (cap: string, amount: string, count: string) =>
  `{"status": "active", "legal_name": "x", "contact_name": "x", "contact_email": "x", "margin_bps": 0, "fee_bps": 0,
    "fee_fixed": 0, "payment_cap": ${cap}, "daily_limit_amount": ${amount}, "daily_limit_count": ${count}}`

const issue = (key: string, scopes: string, by: string, prefix = 'qpu_live_') => `
  select quipu.issue_api_key('${keyJson(key, scopes, prefix)}', '${by}', now()) as result`

const propose = (key: string, by: string) => `
  select quipu.propose_api_key('${keyJson(key, 'payouts:write', 'qpu_live_')}', jsonb_build_object('id', 'p_${key}',
    'reason', 'x', 'expires_at', now() + interval '1 h'), '${by}', now()) as result`

const approve = (proposal: string, by: string) => `
  select quipu.approve_proposal('t', '${proposal}', '${by}', now()) as result`

const limit = (cap: string, amount: string, count: string, by: string) => `
  select quipu.change_tenant('t', 1, '${terms(cap, amount, count)}', 'tenant.update', '${by}', now()) as result`

test('the process role alone issues no key that pays, and raises no limit', async () => {
  await using database = await roleDatabase()
  const { asRole, asOwner } = database
  const create = (by: string) =>
    asRole(`select quipu.create_tenant('t', '${terms('100', '100', '10')}', 'w', '${by}', now()) as result`)
  const unauthorized = [{ result: 'unauthorized' }]
  expect(await create(unknown)).toEqual(unauthorized)
  expect(await create(ana)).toEqual([{ result: 'committed' }])
  for (const sql of [
    issue('k', 'payouts:write', unknown),
    issue('k', 'payouts:read', unknown),
    issue('k', 'payouts:write', ana),
    issue('k', 'payouts:write', ana, 'qpu_test_'),
    propose('k', unknown),
    propose('k', ana),
    `select quipu.set_allowed_addresses('t', 'k', null, '${ana}', now()) as result`,
    limit('101', '100', '10', unknown),
    limit('100', '101', '10', ana),
    limit('100', 'null', '10', ana),
    limit('100', '100', '11', ana),
    limit('100', '100', 'null', ana),
    limit('99', '100', '10', ana),
  ])
    expect(await asRole(sql), sql).toEqual(unauthorized)

  // With the token of one admin that the thief has seen, a second one cannot be invented.
  await expect(asRole(issue('k', 'payouts:write', ada))).rejects.toThrow('the key k needs a proposal')
  expect(await asRole(propose('k', ada))).toEqual([{ result: 'committed' }])
  expect(await asRole(approve('p_k', unknown))).toEqual(unauthorized)
  expect(await asRole(approve('p_k', ana))).toEqual(unauthorized)
  await expect(asRole(approve('p_k', ada))).rejects.toThrow('approver_is_another_person')
  const open = (action: string, by: string, isWithinLimit: boolean) =>
    asRole(`select quipu.open_proposal('t', 'p_${action}', '${action}', 't',
      '{"payment_cap_bob_minor": "999"}', 'x', null, null, now(), now() + interval '1 h',
      ${isWithinLimit}, '${by}') as result`)
  await expect(open('issue_api_key', ada, false)).rejects.toThrow('cannot issue_api_key')
  await expect(open('change_limits', ada, true)).rejects.toThrow('one_person_suffices')
  expect(await open('change_limits', ana, false)).toEqual(unauthorized)
  expect(await open('change_limits', ada, false)).toEqual([{ result: 'committed' }])
  await expect(asRole(approve('p_change_limits', ada))).rejects.toThrow('another_person')
  for (const sql of [
    `update quipu.api_key set activated_at = now()`,
    `update quipu.api_key set allowed_addresses = null, expires_at = null`,
    `select quipu.key_issued(k, null, null, now()) from quipu.api_key k`,
    `select quipu.activate_api_key(p, now()) from quipu.proposal p`,
    `select quipu.change_terms(p, now()) from quipu.proposal p`,
    `select quipu.resume_tenant(p, now()) from quipu.proposal p`,
    `select quipu.execute_approved(p, now()) from quipu.proposal p`,
    `select quipu.write_tenant('t', t, w) from quipu.tenant t, quipu.wallet w`,
  ])
    await expect(asRole(sql), sql).rejects.toThrow(/permission denied/)
  expect(
    await asOwner(`select k.activated_at, t.payment_cap::text, w.daily_limit_amount::text
      from quipu.api_key k, quipu.tenant t join quipu.wallet w on w.tenant_id = t.id`),
  ).toEqual([{ activated_at: null, payment_cap: '100', daily_limit_amount: '100' }])
})
