import {
  adjustWallet,
  approveAdjustment,
  operatorToken,
  presentedBy,
  someAdmin,
  someInstant,
  tokenHashOf,
} from '@quipu/contracts'
import { type Tenant, usdt } from '@quipu/core'
import { type ApprovedProposal, failProposal } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { bootstrapOperatorToken } from '../operator-token/bootstrap-operator-token.ts'
import { openOtherSession, untilWaiting } from '../test/other-session.fixture.ts'
import { type Sql, useStoreHarness } from '../test/stores.fixture.ts'

/** Who proposes, approves and withdraws what, until when, and the lock that an approval waits for. */
const harness = useStoreHarness()

type Opened = { readonly action?: string; readonly subject?: string; readonly by?: string; readonly details?: string }

/** Opens a proposal of an operator, or of an admin for limits. @returns the result */
async function openBy(tenantId: string, id: string, over: Opened = {}) {
  const { action = 'adjust_wallet', subject = tenantId, by = 'ana', details = '{"daily_limit_count": "20"}' } = over
  const open = `select quipu.open_proposal($1, $2, $3, $4, $6, 'r', null, null, now(),
    now() + interval '1 hour', false, $5) as result`
  return (await harness.sql(open, [tenantId, id, action, subject, presentedBy(by), details]))[0]?.['result']
}
async function opened(tenantId: string, over: Opened = {}) {
  const id = harness.ids.next('prp', someInstant)
  expect(await openBy(tenantId, id, over)).toBe('committed')
  return id
}
const openedLimits = (tenantId: string, subject = tenantId, details?: string) =>
  opened(tenantId, { action: 'change_limits', subject, by: 'ada', ...(details !== undefined && { details }) })

const approveProposal = 'select quipu.approve_proposal($1, $2, $3, now()) as result'
const approve = async (tenantId: string | null, id: string, by = 'ben', sql: Sql = harness.sql) =>
  (await sql(approveProposal, [tenantId, id, presentedBy(by)]))[0]?.['result']
const statusOf = async (id: string) => (await harness.stores.proposals.find(id))?.status

test('an approval is of one proposal, and of its tenant', async () => {
  const [{ id: tenantId }, { id: other }] = [await harness.newTenant(), await harness.newTenant()]
  const [first, second] = [await opened(tenantId), await opened(tenantId)]
  expect(await approve(other, first)).toBe('stale')
  expect(await approve(tenantId, 'prp_unknown')).toBe('stale')
  expect([await statusOf(first), await statusOf(second)]).toEqual(['open', 'open'])
  expect(await approve(tenantId, first)).toBe('committed')
  expect([await statusOf(first), await statusOf(second)]).toEqual(['approved', 'open'])
})

test('approved limits are those of the tenant that the proposal names, and no others change', async () => {
  const [tenant, other] = [await harness.newTenant(), await harness.newTenant()]
  const mixed = await openedLimits(tenant.id, other.id)
  await expect(approve(tenant.id, mixed)).rejects.toThrow()
  const [first, second] = [await openedLimits(tenant.id), await openedLimits(tenant.id)]
  expect(await approve(tenant.id, first)).toBe('committed')
  expect([await statusOf(first), await statusOf(second)]).toEqual(['executed', 'open'])
  const { tenants } = harness.stores
  const dailyLimits = { amount: null, count: 20 }
  expect(await tenants.find(tenant.id)).toMatchObject({ ...tenant, dailyLimits, revision: 2 })
  expect(await tenants.find(other.id)).toMatchObject(other)
})

test('a case of screening is decided by a proposal of its own tenant', async () => {
  const [{ id: tenantId }, { id: other }] = [await harness.newTenant(), await harness.newTenant()]
  const hit = `select case_id from quipu.hit_screening('scr_1', 'merchant', 'listed', '1 ANA', 'Ana', $1, 'own', '1',
    'fraud', null, 1, null)`
  const [found] = await harness.sql(hit, [tenantId])
  const subject = String(found?.['case_id'])
  const decision = { action: 'decide_screening', subject, details: '{"decision": "cleared"}' }
  await expect(approve(other, await opened(other, decision))).rejects.toThrow()
  expect((await harness.stores.screeningCases.find(subject))?.status).toBe('open')
  expect(await approve(tenantId, await opened(tenantId, decision))).toBe('committed')
  expect((await harness.stores.screeningCases.find(subject))?.status).toBe('cleared')
})

test('an approval of limits waits for a change of the tenant, and keeps what it changed', async () => {
  const tenant = await harness.newTenant({ dailyLimits: { amount: usdt(100n), count: 10 } })
  const id = await openedLimits(tenant.id)
  await using holder = await openOtherSession(harness.stores.url)
  await using approver = await openOtherSession(harness.stores.url)
  await holder.sql('begin')
  await holder.sql('select from quipu.wallet where tenant_id = $1 for update', [tenant.id])
  const lowered: Tenant = { ...tenant, dailyLimits: { amount: usdt(1n), count: 1 }, revision: 2 }
  const changing = harness.stores.tenants.update(lowered, 'tenant.update', someAdmin)
  await untilWaiting(harness.sql, 1, changing)
  const approving = approve(tenant.id, id, 'ben', approver.sql)
  await untilWaiting(harness.sql, 2, changing, approving)
  await holder.sql('rollback')
  expect(await changing).toBe('committed')
  expect(await approving).toBe('committed')
  expect(await harness.stores.tenants.find(tenant.id)).toMatchObject({
    dailyLimits: { amount: usdt(1n), count: 20 },
    revision: 3,
  })
})

test('an approval of an adjustment does not wait for the wallet', async () => {
  const { id: tenantId } = await harness.newTenant()
  const id = await opened(tenantId)
  await using holder = await openOtherSession(harness.stores.url)
  await using approver = await openOtherSession(harness.stores.url)
  await holder.sql('begin')
  await holder.sql('select from quipu.wallet where tenant_id = $1 for no key update', [tenantId]) // As payouts lock it.
  expect(await approve(tenantId, id, 'eva', approver.sql)).toBe('committed')
})

test('a token acts until the very instant at which it expires', async () => {
  const acts = `select quipu.open_console_session($1, $2, expires_at - $3::interval, expires_at, '{}', null) as opened
    from quipu.operator_token where person = 'eva'`
  const at = (session: string, before: string) => harness.sql(acts, [session.repeat(32), presentedBy('eva'), before])
  expect(await at('5e', '0')).toEqual([{ opened: 'unauthorized' }])
  expect(await at('5f', '1 ms')).toEqual([{ opened: 'committed' }])
})

test('a token whose proposal nobody has approved cannot act', async () => {
  const hash = tokenHashOf('carla')
  const propose = `select quipu.propose_operator_token('opt_new', 'carla', 'laptop', 'admin', $1,
    now() + interval '1 day', 'prp_new', 'r', null, null, $2, now(), now() + interval '1 hour') as result`
  expect(await harness.sql(propose, [hash, presentedBy('ada')])).toEqual([{ result: 'committed' }])

  const { id: tenantId } = await harness.newTenant()
  const id = await opened(tenantId)
  expect(await approve(tenantId, id, 'carla')).toBe('unauthorized')
  expect(await approve(null, 'prp_new', 'carla')).toBe('unauthorized')
  expect(await openBy(tenantId, 'prp_own', { by: 'carla' })).toBe('unauthorized')
  expect([await statusOf(id), await statusOf('prp_new')]).toEqual(['open', 'open'])
  expect(await statusOf('prp_own')).toBeUndefined()
})

test('a session is one of the token, or nothing is written', async () => {
  const { id: tenantId } = await harness.newTenant()
  const id = await opened(tenantId)
  const by = JSON.stringify({ token_hash: tokenHashOf('ben'), session: '5e'.repeat(8) })
  await expect(harness.sql(approveProposal, [tenantId, id, by])).rejects.toThrow(/not one of the operator/)
  expect(await statusOf(id)).toBe('open')
})

test('a revocation waits for an approval that its token is making', async () => {
  const made = operatorToken('zoe', 'admin')
  await bootstrapOperatorToken(harness.stores.url, made)
  const { id: tenantId } = await harness.newTenant()
  const id = await opened(tenantId)
  await using holder = await openOtherSession(harness.stores.url)
  await using approver = await openOtherSession(harness.stores.url)
  await using admin = await openOtherSession(harness.stores.url)
  await holder.sql('begin')
  await holder.sql('select from quipu.proposal where id = $1 for update', [id])
  const approving = approver.sql(approveProposal, [tenantId, id, JSON.stringify({ token_hash: made.hash })])
  await untilWaiting(harness.sql, 1, approving)
  const revoke = 'select quipu.revoke_operator_token($1, $2, now()) as result'
  const revoking = admin.sql(revoke, [made.token.id, presentedBy('ada')])
  await untilWaiting(harness.sql, 2, approving, revoking)
  await holder.sql('rollback')
  expect(await approving).toEqual([{ result: 'committed' }])
  expect(await revoking).toEqual([{ result: 'committed' }])
  // The approval came first, and its token was revoked before the execution.
  expect(await statusOf(id)).toBe('failed')
})

const adjustmentOf = (tenantId: string) => {
  const author = { tenantId, reason: 'test', actor: 'ana' } as const
  return { id: harness.ids.uuid(new Date()), direction: 'in', amount: usdt(5n), ...author } as const
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

test('tokens and keys are proposed by their own functions only', async () => {
  const { id } = await harness.newTenant()
  for (const action of ['issue_operator_token', 'issue_api_key']) {
    const opening = openBy(id, `prp_${action}`, { action, by: 'ada', details: '{}' })
    await expect(opening).rejects.toThrow(`open_proposal cannot ${action}`)
    expect(await harness.stores.proposals.find(`prp_${action}`)).toBeUndefined()
  }
})
