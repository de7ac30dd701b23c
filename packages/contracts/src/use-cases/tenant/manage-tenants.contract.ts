import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { bob, usdt } from '@quipu/core'
import {
  defaultPricing,
  manageApiKeys,
  manageTenants,
  noDailyLimits,
  noDailyUse,
} from '@quipu/core/operator'
import { someInstant } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'

type Needed = 'wallets' | 'proposals' | 'tenants' | 'apiKeys' | 'audit'

/** Proves `manageTenants` and `manageApiKeys` on a set of stores, with their audit entries. */
export function manageTenantsContract(name: string, open: OpenHarness<Needed>): void {
  describe(`managing on ${name}`, () => {
    const world = useWorld(open)
    const contact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
    const newcomer = { legalName: 'Pagos del Sur S.R.L.', technicalContact: contact, pricing: {} }
    const now = () => someInstant
    const tenants = () => manageTenants({ tenants: world().tenants, ids: world().ids, now })
    let drawn = 0
    const random = (size: number) => new Uint8Array(size).fill(drawn++)
    const keys = () => manageApiKeys({ ...world(), random, now }, 'test')

    test('a new tenant is active, has an empty wallet and the default pricing', async () => {
      const tenant = await tenants().create('ana', newcomer)
      expect(tenant).toMatchObject({
        status: 'active',
        ...newcomer,
        pricing: defaultPricing,
        dailyLimits: noDailyLimits,
        usedToday: noDailyUse,
      })
      expect(await world().tenants.find(tenant.id)).toEqual(tenant)
      const wallet = await world().wallets.find(tenant.id)
      expect(wallet).toMatchObject({ available: usdt(0n), held: usdt(0n) })
      expect(wallet?.id).toMatch(/^wal_/)
    })

    test('the same request creates one tenant; another one with its key is refused', async () => {
      const request = { key: 'k1', fingerprint: 'v1:a' }
      const first = await tenants().createOnce('ana', newcomer, request)
      if (first.type !== 'tenant') throw new Error('the key is new')
      expect(first.replayed).toBe(false)
      await tenants().suspend('ana', first.tenant.id)
      const again = await tenants().createOnce('ana', newcomer, request)
      const tenant = { ...first.tenant, status: 'suspended', revision: 2 }
      expect(again).toEqual({ type: 'tenant', tenant, replayed: true })
      const other = { ...request, fingerprint: 'v1:b' }
      const refused = { type: 'refused', code: 'key_reused' }
      expect(await tenants().createOnce('ana', newcomer, other)).toEqual(refused)
      expect((await tenants().createOnce('luz', newcomer, other)).type).toBe('tenant')
    })

    test('changes single members of the pricing; the audit log has before and after', async () => {
      const { id } = await tenants().create('ana', { ...newcomer, pricing: { marginBps: 150 } })
      const changed = await tenants().change('luz', id, {
        pricing: { paymentCap: bob(1n), feeBps: 10 },
      })
      const pricing = { ...defaultPricing, marginBps: 150, feeBps: 10, paymentCap: bob(1n) }
      expect(changed?.pricing).toEqual(pricing)
      expect((await world().tenants.find(id))?.pricing).toEqual(pricing)
      const [entry, created] = await auditEntries(world().audit, { subject: id, limit: 10 })
      expect(created).toMatchObject({
        actor: 'ana',
        action: 'tenant.create',
        tenantId: id,
        before: null,
      })
      expect(entry).toMatchObject({
        actor: 'luz',
        action: 'tenant.update',
        tenantId: id,
        before: { fee_bps: 0, payment_cap_bob_minor: '5000000' },
        after: { fee_bps: 10, payment_cap_bob_minor: '1', margin_bps: 150 },
      })
    })

    test('corrects name and contact, and sets and lifts daily limits; the audit log has before and after', async () => {
      const { id } = await tenants().create('ana', newcomer)
      const technicalContact = { name: 'Luz Mamani', email: 'luz@pagos.example' }
      await tenants().change('ana', id, { legalName: 'Pagos del Sur S.A.', technicalContact })
      await tenants().change('luz', id, { dailyLimits: { amount: usdt(5n), count: 2 } })
      await tenants().change('luz', id, { dailyLimits: { amount: null } })
      const tenant = await world().tenants.find(id)
      expect(tenant).toMatchObject({ legalName: 'Pagos del Sur S.A.', technicalContact })
      expect(tenant?.dailyLimits).toEqual({ amount: null, count: 2 })
      const [lifted, set, corrected] = await auditEntries(world().audit, { subject: id, limit: 3 })
      expect(corrected).toMatchObject({
        actor: 'ana',
        action: 'tenant.update',
        before: { legal_name: newcomer.legalName, contact_email: contact.email },
        after: { legal_name: 'Pagos del Sur S.A.', contact_email: 'luz@pagos.example' },
      })
      expect(set).toMatchObject({
        before: { daily_limit_usdt_minor: null, daily_limit_count: null },
        after: { daily_limit_usdt_minor: '5', daily_limit_count: 2 },
      })
      expect(lifted?.after).toMatchObject({ daily_limit_usdt_minor: null, daily_limit_count: 2 })
    })

    test('concurrent changes all take effect', async () => {
      const { id } = await tenants().create('ana', newcomer)
      await Promise.all([
        tenants().change('a', id, { pricing: { marginBps: 11 } }),
        tenants().change('b', id, { pricing: { feeBps: 22 } }),
        tenants().change('c', id, { pricing: { feeFixed: usdt(33n) } }),
        tenants().suspend('d', id),
      ])
      const tenant = await world().tenants.find(id)
      expect(tenant).toMatchObject({
        status: 'suspended',
        pricing: { marginBps: 11, feeBps: 22, feeFixed: usdt(33n) },
      })
      expect(await auditEntries(world().audit, { subject: id, limit: 10 })).toHaveLength(5)
    })

    test('resume restores a suspended tenant', async () => {
      const tenant = await tenants().create('ana', newcomer)
      expect(await tenants().suspend('ana', tenant.id)).toMatchObject({ status: 'suspended' })
      expect(await tenants().resume('ana', tenant.id)).toEqual({ ...tenant, revision: 3 })
    })

    test('changes of unknown tenants and keys return undefined', async () => {
      expect(await tenants().suspend('ana', 'ten_0')).toBeUndefined()
      expect(await tenants().change('ana', 'ten_0', {})).toBeUndefined()
      expect(
        await keys().issue('ana', 'ten_0', { name: 'k', scopes: [], expiresAt: null }),
      ).toBeUndefined()
      expect(await keys().revoke('ana', 'key_0')).toBeUndefined()
    })

    test('does not issue an expired key', async () => {
      const { id } = await tenants().create('ana', newcomer)
      const input = { name: 'server', scopes: ['payouts:read' as const] }
      const issue = (expiresAt: Date) => keys().issue('ana', id, { ...input, expiresAt })
      expect(await issue(someInstant)).toBe('already_expired')
      expect((await world().apiKeys.list(id, { limit: 9 })).items).toEqual([])
      expect(await issue(new Date(someInstant.getTime() + 1))).toMatchObject({ record: input })
    })

    test('an issued key is found by its hash, can be revoked, and never appears in the audit log', async () => {
      const { id } = await tenants().create('ana', newcomer)
      const issued = await keys().issue('ana', id, {
        name: 'server',
        scopes: ['payouts:read'],
        expiresAt: null,
      })
      if (typeof issued !== 'object') throw new Error('the tenant is there')
      expect((await world().apiKeys.findCaller(issued.record.hash))?.key).toEqual(issued.record)
      expect(await keys().revoke('luz', issued.record.id)).toBe(true)
      expect(await keys().revoke('luz', issued.record.id)).toBe(true)
      expect((await world().apiKeys.find(issued.record.id))?.revokedAt).toEqual(someInstant)
      const log = await auditEntries(world().audit, { subject: issued.record.id, limit: 10 })
      expect(log.map(({ action }) => action)).toEqual(['api_key.revoke', 'api_key.issue'])
      expect(log.map(({ tenantId }) => tenantId)).toEqual([id, id])
      expect(JSON.stringify(log)).not.toContain(issued.key)
      expect(JSON.stringify(log)).not.toContain(issued.record.hash)
    })
  })
}
