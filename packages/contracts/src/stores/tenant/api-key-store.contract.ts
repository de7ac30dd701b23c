import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import type { ApiKey } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { keyIssued, keyRevoked } from '@quipu/core/operator'
import { anyApiKey } from '../../fixtures/arbitraries.ts'
import { someOperator, someInstant } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { expectPages } from '../../fixtures/pages.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = 'tenants' | 'apiKeys' | 'audit'

/** The contract of an `ApiKeyStore`. */
export function apiKeyStoreContract(
  name: string,
  open: OpenHarness<Needed>,
  { runs = 50 }: Runs = {},
): void {
  describe(`API key store in ${name}`, () => {
    const world = useWorld(open)

    test('finds every key by its id, and by its hash together with its tenant', async () => {
      const w = world()
      const tenant = await w.newTenant()
      await fc.assert(
        fc.asyncProperty(anyApiKey(tenant.id), async (key) => {
          await w.apiKeys.insert(key, 'ana')
          const entries = await auditEntries(w.audit, { subject: key.id, limit: 2 })
          expect(entries).toEqual([keyIssued(key, 'ana')])
          const isNew = { ...key, lastUsedAt: null, revokedAt: null }
          expect(await w.apiKeys.find(key.id)).toEqual(isNew)
          const { lastUsedAt, revokedAt } = key
          if (lastUsedAt) await w.apiKeys.touch(key, lastUsedAt)
          if (revokedAt) await w.apiKeys.revoke(key, { ...someOperator, at: revokedAt })
          expect(await w.apiKeys.find(key.id)).toEqual(key)
          expect(await w.apiKeys.findCaller(key.hash)).toEqual({ tenant, key })
        }),
        { numRuns: runs },
      )
    })

    test('finds nothing by an unknown id or hash', async () => {
      const w = world()
      expect(await w.apiKeys.find(w.ids.next('key', someInstant))).toBeUndefined()
      expect(await w.apiKeys.findCaller(sha256('never issued'))).toBeUndefined()
    })

    test('findCaller reads the current tenant', async () => {
      const w = world()
      const tenant = await w.newTenant()
      const key = await newKey(w, tenant.id)
      const suspended = { ...tenant, status: 'suspended', revision: 2 } as const
      await w.tenants.update(suspended, 'tenant.suspend', someOperator)
      expect(await w.apiKeys.findCaller(key.hash)).toEqual({ tenant: suspended, key })
    })

    test('revokes a key once, at the first instant; the key is still found', async () => {
      const w = world()
      const tenant = await w.newTenant()
      const key = await newKey(w, tenant.id)
      const at = new Date('2026-04-01T00:00:00.123Z')
      const author = { actor: 'luz', at }
      expect(await w.apiKeys.revoke(key, author)).toBe('committed')
      expect(await w.apiKeys.revoke(key, { ...author, at: new Date() })).toBe('stale')
      const revoked = { ...key, revokedAt: at }
      expect(await w.apiKeys.find(key.id)).toEqual(revoked)
      expect(await w.apiKeys.findCaller(key.hash)).toEqual({ tenant, key: revoked })
      expect(await auditEntries(w.audit, { subject: key.id, limit: 10 })).toEqual([
        keyRevoked(key, author),
        keyIssued(key, 'ana'),
      ])
    })

    test('neither revokes nor touches another tenant’s key', async () => {
      const w = world()
      const [owner, otherTenant] = [await w.newTenant(), await w.newTenant()]
      const key = await newKey(w, owner.id)
      const stolen = { id: key.id, tenantId: otherTenant.id }
      expect(await w.apiKeys.revoke(stolen, someOperator)).toBe('stale')
      await w.apiKeys.touch(stolen, someInstant)
      expect(await w.apiKeys.find(key.id)).toEqual(key)
      expect(await auditEntries(w.audit, { subject: key.id, limit: 10 })).toHaveLength(1)
    })

    test('exactly one of many concurrent revocations commits', async () => {
      const w = world()
      const key = await newKey(w, (await w.newTenant()).id)
      const results = await Promise.all(
        Array.from({ length: 6 }, () => w.apiKeys.revoke(key, someOperator)),
      )
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      expect(await auditEntries(w.audit, { subject: key.id, limit: 10 })).toHaveLength(2)
    })

    test('revoking an unknown key is stale and writes no audit entry', async () => {
      const w = world()
      const id = w.ids.next('key', someInstant)
      const { id: tenantId } = await w.newTenant()
      expect(await w.apiKeys.revoke({ id, tenantId }, someOperator)).toBe('stale')
      expect(await auditEntries(w.audit, { subject: id, limit: 10 })).toEqual([])
    })

    test('lastUsedAt never moves back', async () => {
      const w = world()
      const key = await newKey(w, (await w.newTenant()).id)
      const [early, late] = [
        new Date('2026-04-01T00:00:00.001Z'),
        new Date('2026-04-02T00:00:00.002Z'),
      ]
      const lastUse = async (at: Date) => {
        await w.apiKeys.touch(key, at)
        return (await w.apiKeys.find(key.id))?.lastUsedAt
      }
      expect(await lastUse(early)).toEqual(early)
      expect(await lastUse(late)).toEqual(late)
      expect(await lastUse(early)).toEqual(late)
      await w.apiKeys.touch({ ...key, id: w.ids.next('key', someInstant) }, late)
    })

    test('lists only the tenant’s keys, newest first, in pages', async () => {
      const w = world()
      const [owner, otherTenant] = [await w.newTenant(), await w.newTenant()]
      const keys = []
      for (const ms of [5, 1, 3, 3, 3, 0]) {
        keys.push(await newKey(w, owner.id, new Date(someInstant.getTime() + ms)))
      }
      const foreign = await newKey(w, otherTenant.id)
      await expectPages(keys, (query) => w.apiKeys.list(owner.id, query))
      await expectPages([foreign], (query) => w.apiKeys.list(otherTenant.id, query))
    })

    test('lists nothing for a tenant without keys', async () => {
      const w = world()
      const { id } = await w.newTenant()
      expect(await w.apiKeys.list(id, { limit: 10 })).toEqual({ items: [], next: null })
    })
  })
}

async function newKey(
  w: World<Needed>,
  tenantId: string,
  createdAt = someInstant,
): Promise<ApiKey> {
  const id = w.ids.next('key', someInstant)
  const key: ApiKey = {
    id,
    tenantId,
    name: 'tills',
    prefix: 'qpu_test_',
    lastFour: 'c0de',
    hash: sha256(id),
    scopes: ['payouts:write', 'payouts:read'],
    createdAt,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  }
  await w.apiKeys.insert(key, 'ana')
  return key
}
