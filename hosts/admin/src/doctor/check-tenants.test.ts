import { type Tenant, usdt } from '@quipu/core'
import { defaultPricing } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { checkTenants } from './check-tenants.ts'

const none = { amount: null, count: null }
const createdAt = new Date('2026-11-20T15:04:05.000Z')

const tenant = (id: string, over: Partial<Tenant> = {}): Tenant => ({
  id,
  legalName: 'Tienda',
  technicalContact: { name: 'Ana', email: 'ana@shop.example' },
  status: 'active',
  pricing: defaultPricing,
  dailyLimits: none,
  createdAt,
  revision: 1,
  ...over,
})

const limited = [
  tenant('ten_a', { dailyLimits: { amount: usdt(1n), count: null } }),
  tenant('ten_n', { dailyLimits: { amount: null, count: 9 } }),
  tenant('ten_s', { status: 'suspended' }),
]

/** One tenant a page. */
const checked = (network: 'http' | 'openhub', ...tenants: readonly Tenant[]) =>
  checkTenants(
    {
      list: async ({ after }) => {
        const index = after === undefined ? 0 : Number(after.id)
        const next = index + 1 < tenants.length ? { createdAt, id: String(index + 1) } : null
        const usedToday = { amount: usdt(0n), count: 0 }
        return { items: tenants.slice(index, index + 1).map((each) => ({ ...each, usedToday })), next }
      },
    },
    { QR_NETWORK: network },
  )

test('over OpenHub each active tenant needs a daily limit', async () => {
  const earning = { check: 'tenants.pricing', status: 'ok' }
  expect(await checked('openhub', ...limited)).toMatchObject([earning, { status: 'ok' }])
  const unlimited = ['1', '2', '3', '4', '5', '6'].map((id) => tenant(id))
  const [, finding, ...others] = await checked('openhub', ...limited, ...unlimited)
  expect(finding).toMatchObject({ check: 'network.limits', status: 'warn' })
  expect(finding?.detail).toMatch(/: 1, 2, 3, 4, 5 and 1 more$/)
  expect(others).toEqual([])
})

test('over another network they are no finding', async () => {
  expect(await checked('http', tenant('ten_1'))).toHaveLength(1)
})

test('an active tenant at a margin and fees of zero is named', async () => {
  const pricing = { ...defaultPricing, marginBps: 0 }
  const paid = { ...pricing, feeFixed: usdt(1n) }
  const closed = tenant('ten_s', { pricing, status: 'suspended' })
  const [finding] = await checked('http', tenant('ten_f', { pricing }), tenant('ten_p', { pricing: paid }), closed)
  expect(finding).toMatchObject({ check: 'tenants.pricing', status: 'warn' })
  expect(finding?.detail).toMatch(/: ten_f$/)
})
