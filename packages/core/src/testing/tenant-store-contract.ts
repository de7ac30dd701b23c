import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyTenant } from './arbitraries.ts'
import { auditOf, someInstant } from './given.ts'
import { type OpenHarness, useWorld } from './harness.ts'
import { expectPages } from './pages.ts'
import type { Runs } from './runs.ts'

/** What every `TenantStore` must do, as tests. */
export function tenantStoreContract(
  name: string,
  open: OpenHarness,
  { runs = 50 }: Runs = {},
): void {
  describe(`tenant store in ${name}`, () => {
    const world = useWorld(open)

    test('every tenant is read back as it was created, with one empty wallet', async () => {
      const w = world()
      await fc.assert(
        fc.asyncProperty(anyTenant, async (tenant) => {
          const walletId = w.ids.next('wal', someInstant)
          await w.tenants.create(tenant, walletId, auditOf(tenant.id))
          expect(await w.tenants.find(tenant.id)).toEqual(tenant)
          const { createdAt } = tenant
          const wallet = await w.wallets.find(tenant.id)
          expect(wallet).toMatchObject({ id: walletId, tenantId: tenant.id, createdAt })
        }),
        { numRuns: runs },
      )
    })

    test('an unknown tenant is not there', async () => {
      const w = world()
      expect(await w.tenants.find(w.ids.next('ten', someInstant))).toBeUndefined()
    })

    test('an update from the newest revision replaces the tenant', async () => {
      const w = world()
      await fc.assert(
        fc.asyncProperty(anyTenant, async (other) => {
          const { id, createdAt } = await w.newTenant()
          const changed = { ...other, id, createdAt, revision: 2 }
          expect(await w.tenants.update(changed, auditOf(id))).toBe('committed')
          expect(await w.tenants.find(id)).toEqual(changed)
        }),
        { numRuns: runs },
      )
    })

    test('an update from an older revision is stale and writes neither tenant nor audit', async () => {
      const w = world()
      const tenant = await w.newTenant()
      const { id } = tenant
      const suspended = { ...tenant, status: 'suspended', revision: 2 } as const
      expect(await w.tenants.update(suspended, auditOf(id))).toBe('committed')
      for (const revision of [1, 2, 4]) {
        const late = { ...tenant, legalName: 'Late', revision }
        expect(await w.tenants.update(late, auditOf(id))).toBe('stale')
      }
      expect(await w.tenants.find(id)).toEqual(suspended)
      expect(await w.audit.list({ subject: id, limit: 10 })).toHaveLength(2)
    })

    test('of many updates of one revision at once exactly one commits', async () => {
      const w = world()
      const tenant = await w.newTenant()
      const names = ['Uno', 'Dos', 'Tres', 'Cuatro', 'Cinco']
      const results = await Promise.all(
        names.map((legalName) =>
          w.tenants.update({ ...tenant, legalName, revision: 2 }, auditOf(tenant.id)),
        ),
      )
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      const winner = names[results.indexOf('committed')]
      expect(await w.tenants.find(tenant.id)).toMatchObject({ legalName: winner, revision: 2 })
      expect(await w.audit.list({ subject: tenant.id, limit: 10 })).toHaveLength(2)
    })

    test('updating an unknown tenant is stale', async () => {
      const w = world()
      const tenant = await w.newTenant()
      const unknown = { ...tenant, id: w.ids.next('ten', someInstant), revision: 2 }
      expect(await w.tenants.update(unknown, auditOf(unknown.id))).toBe('stale')
      expect(await w.tenants.find(unknown.id)).toBeUndefined()
    })
  })

  describe(`the list of tenants in ${name}`, () => {
    const world = useWorld(open, 'each')

    test('is newest first, page by page, each tenant once', async () => {
      const w = world()
      const tenants = []
      for (const ms of [5, 1, 3, 3, 3, 0]) {
        tenants.push(await w.newTenant({ createdAt: new Date(someInstant.getTime() + ms) }))
      }
      await expectPages(tenants, (query) => w.tenants.list(query))
    })

    test('is empty when there is none', async () => {
      expect(await world().tenants.list({ limit: 10 })).toEqual({ items: [], next: null })
    })
  })
}
