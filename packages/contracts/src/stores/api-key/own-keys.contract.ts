import type { ApiKey } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { keyIssued, keyRevoked, keyRotated } from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { someOperator } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { newKey } from '../../fixtures/new-key.ts'
import { credentialOf } from '../../fixtures/proposal/operators.ts'

/** The contract of the methods of an `ApiKeyStore` by which a tenant changes its own keys. */
export function ownKeysContract(name: string, open: OpenHarness<'tenants' | 'apiKeys' | 'audit'>): void {
  describe(`a tenant’s changes of its API keys in ${name}`, () => {
    const w = useWorld(open)
    const newKeyOf = async (tenantId: string, over: Partial<ApiKey> = {}): Promise<ApiKey> => {
      const key: ApiKey = { ...newKey(w, tenantId), scopes: ['payouts:read', 'keys:write'], ...over }
      expect(await w.apiKeys.issue(key, credentialOf('ada'))).toBe('committed')
      return key
    }
    const at = someInstant
    const by = ({ hash }: ApiKey) => ({ hash, address: '192.0.2.1', at })
    const author = ({ id }: ApiKey) => ({ actor: id, tokenId: null, address: '192.0.2.1', session: null, at })
    const rotated = (old: ApiKey, overlapSeconds = 0) => {
      const id = w.ids.next('key', at)
      return { id, hash: sha256(id), lastFour: 'beef', replaces: { keyId: old.id, overlapSeconds } }
    }
    const find = (id: string) => w.apiKeys.find(id)
    const latest = async ({ id: subject }: { readonly id: string }) =>
      (await auditEntries(w.audit, { subject, limit: 1 }))[0]

    test('a key replaces itself: the new one has its rights and expiry, the old one ends after the overlap', async () => {
      const { apiKeys, newTenant } = w
      const expiresAt = new Date(at.getTime() + 7_200_000)
      const old = await newKeyOf((await newTenant()).id, { expiresAt, allowedAddresses: ['192.0.2.1'] })
      const [first, second] = [rotated(old, 3_600), rotated(old, 0)]
      expect(await apiKeys.rotateOwn(first, by(old))).toBe('committed')
      const next = { ...old, ...first, createdAt: at, activatedAt: at }
      expect(await find(first.id)).toEqual(next)
      const end = new Date(at.getTime() + 3_600_000)
      expect(await find(old.id)).toEqual({ ...old, expiresAt: end })
      expect(await latest(first)).toEqual(keyIssued(next, author(old), null))
      expect(await latest(old)).toEqual(keyRotated(old, { id: first.id, replacedExpiresAt: end }, author(old)))
      expect(await apiKeys.rotateOwn(second, by(next))).toBe('committed')
      expect((await find(old.id))?.expiresAt).toEqual(at)
      expect(await apiKeys.rotateOwn(rotated(next), by(old))).toBe('unauthorized')
    })

    test('another key is replaced only where nothing widens', async () => {
      const { apiKeys, newTenant } = w
      const { id } = await newTenant()
      const expiresAt = new Date(at.getTime() + 3_600_000)
      const acting = await newKeyOf(id, { expiresAt })
      const bound = await newKeyOf(id, { allowedAddresses: ['192.0.2.1'] })
      const paying = await newKeyOf(id, { scopes: ['payouts:write'] })
      const reading = await newKeyOf(id, { scopes: ['payouts:read'] })
      expect(await apiKeys.rotateOwn(rotated(paying), by(acting))).toBe('wider')
      expect(await apiKeys.rotateOwn(rotated(reading), by(bound))).toBe('wider')
      expect(await apiKeys.rotateOwn(rotated(reading), by(reading))).toBe('unauthorized')
      const next = rotated(reading)
      expect(await apiKeys.rotateOwn(next, by(acting))).toBe('committed')
      expect(await find(next.id)).toMatchObject({ scopes: ['payouts:read'], expiresAt })
      expect(await apiKeys.rotateOwn(rotated(reading), by(acting))).toBe('stale')
      expect(await find(paying.id)).toEqual(paying)
    })

    test('a key revokes any key of its tenant, but not itself while no other one may change keys', async () => {
      const { apiKeys, newTenant } = w
      const { id } = await newTenant()
      const acting = await newKeyOf(id)
      const paying = await newKeyOf(id, { scopes: ['payouts:write'] })
      expect(await apiKeys.revokeOwn(acting.id, by(paying))).toBe('unauthorized')
      expect(await apiKeys.revokeOwn(paying.id, by(acting))).toBe('committed')
      expect(await find(paying.id)).toEqual({ ...paying, revokedAt: at })
      expect(await latest(paying)).toEqual(keyRevoked(paying, author(acting)))
      expect(await apiKeys.revokeOwn(paying.id, by(acting))).toBe('stale')
      expect(await apiKeys.revokeOwn(acting.id, by(acting))).toBe('last')
      const other = await newKeyOf(id)
      expect(await apiKeys.revokeOwn(acting.id, by(acting))).toBe('committed')
      expect(await apiKeys.revokeOwn(other.id, by(acting))).toBe('unauthorized')
    })

    test('no key of another tenant, and none of a suspended one', async () => {
      const { apiKeys, tenants, newTenant } = w
      const tenant = await newTenant()
      const acting = await newKeyOf(tenant.id)
      const foreign = await newKeyOf((await newTenant()).id)
      expect(await apiKeys.revokeOwn(foreign.id, by(acting))).toBe('stale')
      expect(await apiKeys.rotateOwn(rotated(foreign), by(acting))).toBe('stale')
      expect(await find(foreign.id)).toEqual(foreign)
      await tenants.update({ ...tenant, status: 'suspended', revision: 2 }, 'tenant.suspend', someOperator)
      expect(await apiKeys.rotateOwn(rotated(acting), by(acting))).toBe('unauthorized')
    })

    test('of two keys that revoke each other, one stays', async () => {
      const { apiKeys, newTenant } = w
      const { id } = await newTenant()
      const [one, other] = [await newKeyOf(id), await newKeyOf(id)]
      const results = await Promise.all([apiKeys.revokeOwn(one.id, by(other)), apiKeys.revokeOwn(other.id, by(one))])
      expect(results.toSorted()).toEqual(['committed', 'unauthorized'])
    })
  })
}
