import { newKey, someAdmin, someInstant, credentialOf, presentedBy } from '@quipu/contracts'
import { type Tenant, usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { openOtherSession, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

/** Changes of a tenant and of its keys at the same time as another one. */
const harness = useStoreHarness()

const tenantOf = (id: string) => harness.stores.tenants.find(id)

test('a change of a tenant waits for an approved one of its limits, and is then stale', async () => {
  const tenant = await harness.newTenant({ dailyLimits: { amount: usdt(100n), count: 10 } })
  const proposal = harness.ids.next('prp', someInstant)
  const open = `select quipu.open_proposal($1, $2, 'change_limits', $1, '{"daily_limit_count": "20"}', 'r',
    null, null, now(), now() + interval '1 hour', false, $3) as result`
  await harness.sql(open, [tenant.id, proposal, presentedBy('ada')])

  await using holder = await openOtherSession(harness.stores.url)
  await using approver = await openOtherSession(harness.stores.url)
  await holder.sql('begin')
  await holder.sql('select from quipu.wallet where tenant_id = $1 for update', [tenant.id])
  const approve = `select quipu.approve_proposal($1, $2, $3, now()) as result`
  const approving = approver.sql(approve, [tenant.id, proposal, presentedBy('ben')])
  await untilWaiting(harness.sql, 1, approving)
  const lowered: Tenant = { ...tenant, dailyLimits: { amount: usdt(1n), count: 1 }, revision: 2 }
  const changing = harness.stores.tenants.update(lowered, 'tenant.update', someAdmin)
  await untilWaiting(harness.sql, 2, approving, changing)
  await holder.sql('rollback')

  expect(await approving).toEqual([{ result: 'committed' }])
  expect(await changing).toBe('stale')
  expect(await tenantOf(tenant.id)).toMatchObject({ dailyLimits: { amount: usdt(100n), count: 20 }, revision: 2 })
})

test('a tenant changes by no other action than those that the audit log names', async () => {
  const tenant = await harness.newTenant()
  const change = `select quipu.change_tenant(t.id, 1, to_jsonb(t) || '{"legal_name": "Otra"}', $2, $3, now())
    from quipu.tenant t where t.id = $1`
  for (const action of ['tenant.create', 'tenant.delete', ''])
    await expect(harness.sql(change, [tenant.id, action, presentedBy('ada')])).rejects.toThrow(
      /does not match the change/,
    )
  expect(await tenantOf(tenant.id)).toMatchObject(tenant)
})

const issuedKey = async (tenantId: string) => {
  const key = newKey(harness, tenantId)
  expect(await harness.stores.apiKeys.issue(key, credentialOf('ada'))).toBe('committed')
  return key
}
const set = `select quipu.set_allowed_addresses($1, $2, '{192.0.2.1}', $3, now()) as result`

test('the addresses of an unknown key cannot be set, beside known ones of the tenant', async () => {
  const { id } = await harness.newTenant()
  const key = await issuedKey(id)
  const values = [id, harness.ids.next('key', someInstant), presentedBy('ada')]
  expect(await harness.sql(set, values)).toEqual([{ result: 'stale' }])
  expect(await harness.stores.apiKeys.find(key.id)).toEqual(key)
})

test('the addresses of a key that is being revoked cannot be set', async () => {
  const { id } = await harness.newTenant()
  const key = await issuedKey(id)
  await using revoker = await openOtherSession(harness.stores.url)
  await using admin = await openOtherSession(harness.stores.url)
  await revoker.sql('begin')
  const revoke = 'select quipu.revoke_api_key($1, $2, $3, now()) as result'
  expect(await revoker.sql(revoke, [id, key.id, presentedBy('ana')])).toEqual([{ result: 'committed' }])
  const setting = admin.sql(set, [id, key.id, presentedBy('ada')])
  await untilWaiting(harness.sql, 1, setting)
  await revoker.sql('commit')
  expect(await setting).toEqual([{ result: 'stale' }])
  expect((await harness.stores.apiKeys.find(key.id))?.allowedAddresses).toBeNull()
})
