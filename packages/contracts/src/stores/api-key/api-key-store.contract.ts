import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import type { ApiKey } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import {
  auditProposal,
  auditProposalStep,
  keyAddressesSet,
  keyIssued,
  keyNeedsTwo,
  keyRevoked,
  keyRotated,
} from '@quipu/core/operator'
import { anyApiKey } from '../../fixtures/arbitraries.ts'
import { keyProposal, newKey } from '../../fixtures/new-key.ts'
import { someOperator } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { expectPages } from '../../fixtures/pages.ts'
import { credentialOf, authorOf, originOf } from '../../fixtures/proposal/operators.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = 'tenants' | 'apiKeys' | 'proposals' | 'audit'

/** The contract of an `ApiKeyStore`. */
export function apiKeyStoreContract(name: string, open: OpenHarness<Needed>, { runs = 50 }: Runs = {}): void {
  describe(`API key store in ${name}`, () => {
    const w = useWorld(open)

    test('finds every key by its id, and by its hash together with its tenant', async () => {
      const tenant = await w.newTenant()
      await fc.assert(
        fc.asyncProperty(anyApiKey(tenant.id), async (any) => {
          // While the tokens of the fixtures are active.
          const createdAt = new Date(Math.min(any.createdAt.getTime(), someInstant.getTime()))
          const isActive = any.activatedAt !== null && !keyNeedsTwo(any)
          const revokedAt = any.revokedAt && createdAt
          const key = { ...any, createdAt, activatedAt: isActive ? createdAt : null, revokedAt }
          const { activatedAt, lastUsedAt } = key
          if (activatedAt) expect(await w.apiKeys.issue(key, ada)).toBe('committed')
          else await propose(w, key)
          if (activatedAt) {
            const author = authorOf('ada', key.createdAt)
            expect(await auditOf(w, key)).toEqual([keyIssued(key, author, null)])
          } else expect(await auditOf(w, key)).toEqual([])
          const isNew = { ...key, lastUsedAt: null, revokedAt: null }
          expect(await w.apiKeys.find(key.id)).toEqual(isNew)
          if (lastUsedAt) await w.apiKeys.touch(key, lastUsedAt)
          if (revokedAt) await w.apiKeys.revoke(key, { ...someOperator, at: revokedAt })
          expect(await w.apiKeys.find(key.id)).toEqual(key)
          expect(await w.apiKeys.findCaller(key.hash)).toEqual({ tenant, key })
        }),
        { numRuns: runs },
      )
    })

    test('a key is issued by an operator, one with payouts:write by an admin', async () => {
      const { id } = await w.newTenant()
      const paying = newKey(w, id)
      const reading: ApiKey = { ...newKey(w, id), scopes: ['payouts:read', 'webhooks:write'] }
      for (const [key, person] of [
        [paying, 'ana'],
        [paying, 'vic'],
        [reading, 'vic'],
        [reading, 'aud'],
        [reading, 'nobody'],
      ] as const) {
        expect(await w.apiKeys.issue(key, credentialOf(person))).toBe('unauthorized')
        expect(await w.apiKeys.find(key.id)).toBeUndefined()
      }
      expect(await w.apiKeys.issue(reading, credentialOf('ana'))).toBe('committed')
      expect(await w.apiKeys.issue(paying, ada)).toBe('committed')
    })

    test('a live key with payouts:write works once a second admin approves it', async () => {
      const tenant = await w.newTenant()
      const key: ApiKey = { ...newKey(w, tenant.id), prefix: 'qpu_live_' }
      await expect(w.apiKeys.issue(key, ada)).rejects.toThrow(/needs a proposal/)
      const proposed = { ...key, activatedAt: null }
      const proposal = keyProposal(w, key)
      const approval = { at: new Date(someInstant.getTime() + 5), by: 'ben' }
      const approved = { ...proposal, status: 'approved', approval } as const
      expect(await w.apiKeys.propose(key, proposal, credentialOf('ana'))).toBe('unauthorized')
      expect(await w.apiKeys.propose(key, proposal, ada)).toBe('committed')
      expect(await w.apiKeys.findCaller(key.hash)).toEqual({ tenant, key: proposed })
      const byOperator = { ...approved, approval: { ...approval, by: 'eva' } }
      expect(await w.proposals.commit(byOperator, credentialOf('eva'))).toBe('unauthorized')
      await expect(w.proposals.commit({ ...approved, approval: { ...approval, by: 'ada' } }, ada)).rejects.toThrow()
      expect((await w.apiKeys.find(key.id))?.activatedAt).toBeNull()
      expect(await w.proposals.commit(approved, credentialOf('ben'))).toBe('committed')
      const active = { ...key, activatedAt: approval.at }
      expect(await w.apiKeys.findCaller(key.hash)).toEqual({ tenant, key: active })
      const status = (await w.proposals.find(proposal.id))?.status
      expect(status).toBe('executed')
      const author = authorOf('ada', approval.at)
      expect(await auditOf(w, key)).toEqual([keyIssued(active, author, proposal.id)])
      const [step, opened] = await auditEntries(w.audit, { subject: proposal.id, limit: 3 })
      expect([step, opened]).toEqual([
        auditProposalStep(approved, originOf('ben')),
        auditProposal(proposal, originOf('ada')),
      ])
    })

    test('a key that replaces another one brings its expiry forward, and never back', async () => {
      const tenant = await w.newTenant()
      const old = await issuedKey(w, tenant.id)
      const replacing = async (overlapSeconds: number, createdAt: Date): Promise<ApiKey> => {
        const replaces = { keyId: old.id, overlapSeconds }
        const key = { ...newKey(w, tenant.id), createdAt, activatedAt: createdAt, replaces }
        expect(await w.apiKeys.issue(key, ada)).toBe('committed')
        expect(await w.apiKeys.find(key.id)).toEqual(key)
        return key
      }
      const expiry = async () => (await w.apiKeys.find(old.id))?.expiresAt
      const first = await replacing(86_400, someInstant)
      const end = new Date(someInstant.getTime() + 86_400_000)
      expect(await expiry()).toEqual(end)
      await replacing(2_592_000, someInstant)
      expect(await expiry()).toEqual(end)
      const later = new Date(someInstant.getTime() + 1_000)
      await replacing(0, later)
      expect(await expiry()).toEqual(later)
      const author = authorOf('ada', someInstant)
      expect((await auditOf(w, old)).toReversed().slice(1, 2)).toEqual([
        keyRotated(old, { id: first.id, replacedExpiresAt: end }, author),
      ])
      expect(await auditOf(w, old)).toHaveLength(4)
      expect(await auditOf(w, first)).toEqual([keyIssued(first, author, null)])
    })

    test('replace refuses another tenant’s key, and one with other scopes', async () => {
      const [tenant, otherTenant] = [await w.newTenant(), await w.newTenant()]
      const old = await issuedKey(w, tenant.id)
      const replaces = { keyId: old.id, overlapSeconds: 3_600 }
      for (const over of [{ scopes: ['payouts:read' as const] }, { prefix: 'qpu_mock_' }, { tenantId: otherTenant.id }])
        await expect(w.apiKeys.issue({ ...newKey(w, tenant.id), replaces, ...over }, ada)).rejects.toThrow()
      expect((await w.apiKeys.find(old.id))?.expiresAt).toBeNull()
    })

    test('a live key is replaced from the approval on', async () => {
      const tenant = await w.newTenant()
      const live: ApiKey = { ...newKey(w, tenant.id), prefix: 'qpu_live_' }
      const at = new Date(someInstant.getTime() + 5)
      const approve = async (key: ApiKey) => {
        const proposal = keyProposal(w, key)
        expect(await w.apiKeys.propose(key, proposal, ada)).toBe('committed')
        expect(await w.proposals.find(proposal.id)).toEqual(proposal)
        const approval = { at, by: 'ben' }
        const approved = { ...proposal, status: 'approved', approval } as const
        return () => w.proposals.commit(approved, credentialOf('ben'))
      }
      await (
        await approve(live)
      )()
      const replaces = { keyId: live.id, overlapSeconds: 7_200 }
      const next: ApiKey = { ...newKey(w, tenant.id), prefix: 'qpu_live_', replaces }
      const commit = await approve(next)
      expect((await w.apiKeys.find(live.id))?.expiresAt).toBeNull()
      expect(await commit()).toBe('committed')
      const end = new Date(at.getTime() + 2 * 3_600_000)
      expect((await w.apiKeys.find(live.id))?.expiresAt).toEqual(end)
      expect(await w.apiKeys.find(next.id)).toEqual({ ...next, activatedAt: at })
    })

    test('an admin sets the addresses of a key; no one else, and none of a revoked one', async () => {
      const [tenant, otherTenant] = [await w.newTenant(), await w.newTenant()]
      const key = await issuedKey(w, tenant.id)
      const addresses = ['192.0.2.0/24', '2001:db8::1']
      const set = (person: string, ref = key, to: readonly string[] | null = addresses) =>
        w.apiKeys.setAllowedAddresses(ref, to, { ...credentialOf(person), at: someInstant })
      for (const person of ['ana', 'vic', 'nobody']) expect(await set(person)).toBe('unauthorized')
      expect(await set('ada', { ...key, tenantId: otherTenant.id })).toBe('stale')
      expect(await w.apiKeys.find(key.id)).toEqual(key)
      expect(await set('ada')).toBe('committed')
      const limited = { ...key, allowedAddresses: addresses }
      expect(await w.apiKeys.findCaller(key.hash)).toEqual({ tenant, key: limited })
      expect((await auditOf(w, key))[0]).toEqual(keyAddressesSet(key, addresses, authorOf('ada', someInstant)))
      expect(await set('ada', key, null)).toBe('committed')
      expect(await w.apiKeys.find(key.id)).toEqual(key)
      await w.apiKeys.revoke(key, someOperator)
      expect(await set('ada')).toBe('stale')
    })

    test('no other store inserts the proposal of a key', async () => {
      const { id } = await w.newTenant()
      const proposal = keyProposal(w, newKey(w, id))
      await expect(w.proposals.insert(proposal, ada)).rejects.toThrow()
    })

    test('finds nothing by an unknown id or hash', async () => {
      expect(await w.apiKeys.find(w.ids.next('key', someInstant))).toBeUndefined()
      expect(await w.apiKeys.findCaller(sha256('never issued'))).toBeUndefined()
    })

    test('findCaller reads the current tenant', async () => {
      const tenant = await w.newTenant()
      const key = await issuedKey(w, tenant.id)
      const suspended = { ...tenant, status: 'suspended', revision: 2 } as const
      await w.tenants.update(suspended, 'tenant.suspend', someOperator)
      expect(await w.apiKeys.findCaller(key.hash)).toEqual({ tenant: suspended, key })
    })

    test('revokes a key once, at the first instant; the key is still found', async () => {
      const tenant = await w.newTenant()
      const key = await issuedKey(w, tenant.id)
      const at = new Date('2026-04-01T00:00:00.123Z')
      const author = authorOf('luz', at)
      const luz = { ...credentialOf('luz'), at }
      expect(await w.apiKeys.revoke(key, luz)).toBe('committed')
      expect(await w.apiKeys.revoke(key, { ...luz, at: new Date() })).toBe('stale')
      const revoked = { ...key, revokedAt: at }
      expect(await w.apiKeys.find(key.id)).toEqual(revoked)
      expect(await w.apiKeys.findCaller(key.hash)).toEqual({ tenant, key: revoked })
      expect(await auditEntries(w.audit, { subject: key.id, limit: 10 })).toEqual([
        keyRevoked(key, author),
        keyIssued(key, authorOf('ada', key.createdAt), null),
      ])
    })

    test('neither revokes nor touches another tenant’s key', async () => {
      const [owner, otherTenant] = [await w.newTenant(), await w.newTenant()]
      const key = await issuedKey(w, owner.id)
      const stolen = { id: key.id, tenantId: otherTenant.id }
      expect(await w.apiKeys.revoke(stolen, someOperator)).toBe('stale')
      await w.apiKeys.touch(stolen, someInstant)
      expect(await w.apiKeys.find(key.id)).toEqual(key)
      expect(await auditEntries(w.audit, { subject: key.id, limit: 10 })).toHaveLength(1)
    })

    test('concurrent touches of several keys keep the latest instant of each', async () => {
      const keys = await Promise.all([1, 2, 3].map(async () => issuedKey(w, (await w.newTenant()).id)))
      const at = (n: number): Date => new Date(someInstant.getTime() + n)
      await Promise.all([5, 9, 7].flatMap((n) => keys.map((key, place) => w.apiKeys.touch(key, at(n + place)))))
      const touched = await Promise.all(keys.map(({ id }) => w.apiKeys.find(id)))
      expect(touched.map((key) => key?.lastUsedAt)).toEqual([at(9), at(10), at(11)])
    })

    test('exactly one of many concurrent revocations commits', async () => {
      const key = await issuedKey(w, (await w.newTenant()).id)
      const results = await Promise.all(Array.from({ length: 6 }, () => w.apiKeys.revoke(key, someOperator)))
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      expect(await auditEntries(w.audit, { subject: key.id, limit: 10 })).toHaveLength(2)
    })

    test('revoking an unknown key is stale and writes no audit entry', async () => {
      const id = w.ids.next('key', someInstant)
      const { id: tenantId } = await w.newTenant()
      expect(await w.apiKeys.revoke({ id, tenantId }, someOperator)).toBe('stale')
      expect(await auditEntries(w.audit, { subject: id, limit: 10 })).toEqual([])
    })

    test('lastUsedAt never moves back', async () => {
      const key = await issuedKey(w, (await w.newTenant()).id)
      const [early, late] = [new Date('2026-04-01T00:00:00.001Z'), new Date('2026-04-02T00:00:00.002Z')]
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
      const [owner, otherTenant] = [await w.newTenant(), await w.newTenant()]
      const keys = []
      for (const ms of [5, 1, 3, 3, 3, 0]) {
        keys.push(await issuedKey(w, owner.id, new Date(someInstant.getTime() + ms)))
      }
      const foreign = await issuedKey(w, otherTenant.id)
      await expectPages(keys, (query) => w.apiKeys.list(owner.id, query))
      await expectPages([foreign], (query) => w.apiKeys.list(otherTenant.id, query))
    })

    test('lists nothing for a tenant without keys', async () => {
      const { id } = await w.newTenant()
      expect(await w.apiKeys.list(id, { limit: 10 })).toEqual({ items: [], next: null })
    })
  })
}

const ada = credentialOf('ada')

const auditOf = ({ audit }: World<Needed>, { id }: ApiKey) => auditEntries(audit, { subject: id, limit: 10 })

/** The proposal of `ada` to issue this key. */
async function propose(w: World<Needed>, key: ApiKey): Promise<void> {
  expect(await w.apiKeys.propose(key, keyProposal(w, key), ada)).toBe('committed')
}

async function issuedKey(w: World<Needed>, tenantId: string, createdAt = someInstant): Promise<ApiKey> {
  const key = { ...newKey(w, tenantId), createdAt, activatedAt: createdAt }
  expect(await w.apiKeys.issue(key, ada)).toBe('committed')
  return key
}
