import { describe, expect, test } from 'vitest'
import { bob, usdt } from '../money.ts'
import { tenantChanged, tenantCreated } from './audit-tenant.ts'
import type { TenantAction } from './ports.ts'
import { tenant } from './tenant.fixture.ts'
import type { Tenant } from './tenant.ts'
import { originOf } from '../audit/operator.fixture.ts'

const at = new Date('2026-11-22T08:00:00.000Z')
const by = { ...originOf('ana'), at }

const shop: Tenant = {
  ...tenant,
  pricing: { marginBps: 150, feeBps: 10, feeFixed: usdt(500_000n), paymentCap: bob(7_000_00n) },
  dailyLimits: { amount: usdt(5_000_000n), count: 20 },
}
const shopState = {
  status: 'active',
  legal_name: 'Tienda',
  contact_name: 'Ana',
  contact_email: 'ana@shop.example',
  margin_bps: 150,
  fee_bps: 10,
  fee_fixed_minor: '500000',
  payment_cap_bob_minor: '700000',
  daily_limit_usdt_minor: '5000000',
  daily_limit_count: 20,
}

describe('the audit entry of a tenant', () => {
  test('that is new has every member that can change', () => {
    expect(tenantCreated(shop, originOf('ana'))).toEqual({
      ...originOf('ana'),
      action: 'tenant.create',
      tenantId: 'ten_1',
      subject: 'ten_1',
      at: shop.createdAt,
      before: null,
      after: shopState,
    })
    const limitless = { ...shop, dailyLimits: { amount: null, count: null } }
    expect(tenantCreated(limitless, originOf('ana')).after).toEqual({
      ...shopState,
      daily_limit_usdt_minor: null,
      daily_limit_count: null,
    })
  })

  test('that is changed has its members before and after, and the proposal if there was one', () => {
    const after = { ...shop, legalName: 'Tienda S.A.' }
    const entry = {
      ...originOf('ana'),
      action: 'tenant.update',
      tenantId: 'ten_1',
      subject: 'ten_1',
      at,
      before: shopState,
      after: { ...shopState, legal_name: 'Tienda S.A.' },
    }
    expect(tenantChanged('tenant.update', shop, after, by)).toEqual(entry)
    expect(tenantChanged('tenant.update', shop, after, by, { proposal_id: 'prp_1' })).toEqual({
      ...entry,
      after: { ...entry.after, proposal_id: 'prp_1' },
    })
  })

  test.each<[TenantAction, Tenant['status'], Tenant['status']]>([
    ['tenant.suspend', 'active', 'suspended'],
    ['tenant.suspend', 'suspended', 'suspended'],
    ['tenant.resume', 'suspended', 'active'],
    ['tenant.resume', 'active', 'active'],
    ['tenant.update', 'suspended', 'suspended'],
  ])('by %s from %s has the status', (action, before, after) => {
    const entry = tenantChanged(action, { ...shop, status: before }, { ...shop, status: after }, by)
    expect(entry).toMatchObject({ action, before: { status: before }, after: { status: after } })
  })

  test.each<[TenantAction, Partial<Tenant>]>([
    ['tenant.suspend', {}],
    ['tenant.suspend', { status: 'suspended', legalName: 'x' }],
    ['tenant.resume', { legalName: 'x' }],
    ['tenant.resume', { status: 'suspended' }],
    ['tenant.update', { status: 'suspended', legalName: 'x' }],
  ])('is none when %s makes another change: %j', (action, change) => {
    const before: Tenant = { ...shop, status: 'active' }
    expect(() => tenantChanged(action, before, { ...before, ...change }, by)).toThrow(
      `the action ${action} does not match the change of tenant ten_1`,
    )
  })
})
