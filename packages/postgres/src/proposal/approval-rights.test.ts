import { someInstant, presentedBy, someAdmin } from '@quipu/contracts'
import { type Tenant, usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { openOtherSession, untilWaiting } from '../test/other-session.fixture.ts'
import { type Sql, useStoreHarness } from '../test/stores.fixture.ts'

/** The subject of an approval, the lock that it waits for, and until when a token acts. */
const harness = useStoreHarness()

type Opened = { readonly action?: string; readonly subject?: string; readonly by?: string; readonly details?: string }

/** Opens a proposal of an operator, or of an admin for limits. */
async function opened(tenantId: string, over: Opened = {}, sql: Sql = harness.sql) {
  const { action = 'adjust_wallet', subject = tenantId, by = 'ana', details = '{"daily_limit_count": "20"}' } = over
  const id = harness.ids.next('prp', someInstant)
  const open = `select quipu.open_proposal($1, $2, $3, $4, $6, 'r', null, null, now(),
    now() + interval '1 hour', false, $5) as result`
  const values = [tenantId, id, action, subject, presentedBy(by), details]
  expect(await sql(open, values)).toEqual([{ result: 'committed' }])
  return id
}
const openedLimits = (tenantId: string, subject = tenantId) =>
  opened(tenantId, { action: 'change_limits', subject, by: 'ada' })

const approve = async (tenantId: string, id: string, by = 'ben', sql: Sql = harness.sql) => {
  const call = 'select quipu.approve_proposal($1, $2, $3, now()) as result'
  return (await sql(call, [tenantId, id, presentedBy(by)]))[0]?.['result']
}
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
