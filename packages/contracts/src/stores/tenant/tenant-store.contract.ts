import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { bob, type Tenant, usdt } from '@quipu/core'
import { noDailyUse, tenantChanged, tenantCreated, type TenantRecord } from '@quipu/core/operator'
import { anyTenant } from '../../fixtures/arbitraries.ts'
import { someAdmin, someOperator } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { expectPages } from '../../fixtures/pages.ts'
import { openProposalOf } from '../../fixtures/proposal/approve-action.ts'
import { credentialOf, authorOf, originOf } from '../../fixtures/proposal/operators.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = 'wallets' | 'proposals' | 'tenants' | 'audit'

/** The contract of a `TenantStore`. */
export function tenantStoreContract(name: string, open: OpenHarness<Needed>, { runs = 50 }: Runs = {}): void {
  describe(`tenant store in ${name}`, () => {
    const w = useWorld(open)

    test('reads back every tenant as created, with one empty wallet', async () => {
      await fc.assert(
        fc.asyncProperty(anyTenant, async (any) => {
          // While the tokens of the fixtures are active.
          const createdAt = new Date(Math.min(any.createdAt.getTime(), someInstant.getTime()))
          const tenant = { ...any, createdAt }
          const walletId = w.ids.next('wal', someInstant)
          await w.tenants.create(tenant, walletId, credentialOf('ana'))
          expect(await w.tenants.find(tenant.id)).toEqual(unused(tenant))
          const entries = await auditEntries(w.audit, { subject: tenant.id, limit: 2 })
          expect(entries).toEqual([tenantCreated(tenant, originOf('ana'))])
          const wallet = await w.wallets.find(tenant.id)
          expect(wallet).toMatchObject({ id: walletId, tenantId: tenant.id, createdAt })
        }),
        { numRuns: runs },
      )
    })

    test('does not find an unknown tenant', async () => {
      expect(await w.tenants.find(w.ids.next('ten', someInstant))).toBeUndefined()
    })

    test('updates from the newest revision change all but id and creation, each with an audit entry', async () => {
      await fc.assert(
        fc.asyncProperty(anyTenant, async ({ status: _status, ...terms }) => {
          const tenant = await w.newTenant()
          const { id, createdAt } = tenant
          const changed: Tenant = { ...terms, id, createdAt, status: 'active', revision: 2 }
          const suspended = { ...changed, status: 'suspended', revision: 3 } as const
          const resumed = { ...changed, revision: 4 }
          const late = { ...changed, createdAt: new Date(0) }
          expect(await w.tenants.update(late, 'tenant.update', someAdmin)).toBe('committed')
          expect(await w.tenants.find(tenant.id)).toEqual(unused(changed))
          expect(await w.tenants.update(suspended, 'tenant.suspend', someOperator)).toBe('committed')
          expect(await w.tenants.find(tenant.id)).toEqual(unused(suspended))
          expect(await w.tenants.update(resumed, 'tenant.resume', someOperator)).toBe('committed')
          expect(await w.tenants.find(tenant.id)).toEqual(unused(resumed))
          const entries = await auditEntries(w.audit, { subject: tenant.id, limit: 3 })
          expect(entries).toEqual([
            tenantChanged('tenant.resume', suspended, resumed, authorOf('ana', someInstant)),
            tenantChanged('tenant.suspend', changed, suspended, authorOf('ana', someInstant)),
            tenantChanged('tenant.update', tenant, changed, authorOf('ada', someInstant)),
          ])
        }),
        { numRuns: runs },
      )
    })

    test('every price and limit takes the token of an admin', async () => {
      const tenant = await w.newTenant()
      const limits = { amount: usdt(100n), count: 10 }
      const lowered = { ...tenant, dailyLimits: limits, revision: 2 }
      expect(await w.tenants.update(lowered, 'tenant.update', someOperator)).toBe('unauthorized')
      expect(await w.tenants.update(lowered, 'tenant.update', someAdmin)).toBe('committed')
      const cap = tenant.pricing.paymentCap.minor
      const next = { ...lowered, revision: 3 }
      const raised = [
        { ...next, pricing: { ...tenant.pricing, paymentCap: bob(cap + 1n) } },
        { ...next, dailyLimits: { ...limits, amount: usdt(101n) } },
        { ...next, dailyLimits: { ...limits, amount: null } },
        { ...next, dailyLimits: { ...limits, count: 11 } },
        { ...next, dailyLimits: { ...limits, count: null } },
      ]
      for (const change of raised) {
        expect(await w.tenants.update(change, 'tenant.update', someOperator)).toBe('unauthorized')
      }
      expect(await w.tenants.find(tenant.id)).toEqual(unused(lowered))
      let last: Tenant = lowered
      for (const { pricing, dailyLimits } of raised) {
        last = { ...lowered, pricing, dailyLimits, revision: last.revision + 1 }
        expect(await w.tenants.update(last, 'tenant.update', someAdmin)).toBe('committed')
      }
    })

    test('the approval of an admin changes limits, and only those that are proposed', async () => {
      const limits = { amount: usdt(100n), count: 10 }
      const tenant = await w.newTenant({ dailyLimits: limits })
      const proposal = openProposalOf(
        { id: w.ids.next('prp', someInstant), tenantId: tenant.id, actor: 'ada', reason: 'crece' },
        { type: 'change_limits', tenantId: tenant.id, limits: { paymentCap: bob(9000000n), count: null } },
      )
      expect(await w.proposals.insert(proposal, credentialOf('eva'))).toBe('unauthorized')
      expect(await w.proposals.insert(proposal, someAdmin)).toBe('committed')
      const suspended = { ...tenant, status: 'suspended', revision: 2 } as const
      await w.tenants.update(suspended, 'tenant.suspend', someOperator)
      const by = (person: string) =>
        ({ ...proposal, status: 'approved', approval: { at: someInstant, by: person } }) as const
      expect(await w.proposals.commit(by('eva'), credentialOf('eva'))).toBe('unauthorized')
      await expect(w.proposals.commit(by('ada'), someAdmin)).rejects.toThrow()
      expect(await w.tenants.find(tenant.id)).toEqual(unused(suspended))
      expect(await w.proposals.commit(by('ben'), credentialOf('ben'))).toBe('committed')
      const changed = {
        ...suspended,
        pricing: { ...tenant.pricing, paymentCap: bob(90_000_00n) },
        dailyLimits: { ...limits, count: null },
        revision: 3,
      }
      expect(await w.tenants.find(tenant.id)).toEqual(unused(changed))
      expect((await w.proposals.find(proposal.id))?.status).toBe('executed')
      const [entry] = await auditEntries(w.audit, { subject: tenant.id, limit: 1 })
      expect(entry).toEqual(
        tenantChanged('tenant.update', suspended, changed, authorOf('ada', someInstant), { proposal_id: proposal.id }),
      )
    })

    test('a repeated request creates one tenant, also of many at once; its key belongs to the person', async () => {
      const request = { key: 'digest of a key', fingerprint: 'v1:body' }
      const { id, ...tenant } = await w.newTenant()
      const create = (actor: string, fingerprint = request.fingerprint) => {
        const walletId = w.ids.next('wal', someInstant)
        const next = { ...tenant, id: w.ids.next('ten', someInstant) }
        const sent = { ...request, fingerprint }
        return w.tenants.create(next, walletId, credentialOf(actor), sent).then((result) => ({ id: next.id, result }))
      }
      const results = await Promise.all(Array.from({ length: 8 }, () => create('ana')))
      const [first, ...others] = results.filter(({ result }) => result === 'committed')
      expect(others).toEqual([])
      const used = { fingerprint: 'v1:body', subject: first?.id }
      for (const { id: lostId, result } of results.filter((each) => each !== first)) {
        expect(result).toEqual(used)
        expect(await w.tenants.find(lostId)).toBeUndefined()
        expect(await w.wallets.find(lostId)).toBeUndefined()
        expect(await auditEntries(w.audit, { subject: lostId, limit: 1 })).toEqual([])
      }
      expect((await create('ana', 'v1:other')).result).toEqual(used)
      expect((await create('luz')).result).toBe('committed')
      expect(id).not.toBe(first?.id)
    })

    test('throws when the action does not name the change, and writes nothing', async () => {
      const tenant = await w.newTenant()
      const next = { ...tenant, revision: 2 }
      const dearer = { ...next, pricing: { ...tenant.pricing, marginBps: 151 } }
      const suspended = { ...next, status: 'suspended' } as const
      const limited = { ...next, dailyLimits: { amount: null, count: 1 } }
      for (const [change, action] of [
        [suspended, 'tenant.update'],
        [suspended, 'tenant.resume'],
        [next, 'tenant.suspend'],
        [dearer, 'tenant.resume'],
        [{ ...dearer, status: 'suspended' }, 'tenant.suspend'],
        [{ ...limited, status: 'suspended' }, 'tenant.suspend'],
        [{ ...next, legalName: 'Other' }, 'tenant.resume'],
      ] as const)
        await expect(w.tenants.update(change, action, someAdmin)).rejects.toThrow(/does not match the change/)
      expect(await w.tenants.find(tenant.id)).toEqual(unused(tenant))
      expect(await auditEntries(w.audit, { subject: tenant.id, limit: 10 })).toHaveLength(1)
    })

    test('one person neither ends nor replaces a suspension that two people end', async () => {
      const tenant = await w.newTenant()
      const suspension = { cause: 'fraud', reason: 'x', evidence: null, at: someInstant } as const
      const suspended = { ...tenant, status: 'suspended', suspension, revision: 2 } as const
      expect(await w.tenants.update(suspended, 'tenant.suspend', someOperator)).toBe('committed')
      const replaced = { ...suspended, suspension: { ...suspension, cause: 'unpaid' }, revision: 3 } as const
      for (const [next, action] of [
        [{ ...tenant, revision: 3 }, 'tenant.resume'],
        [replaced, 'tenant.suspend'],
      ] as const)
        await expect(w.tenants.update(next, action, someAdmin)).rejects.toThrow('the approval of a second person')
      expect(await w.tenants.find(tenant.id)).toEqual(unused(suspended))
    })

    test('an update from another revision is stale and writes nothing', async () => {
      const tenant = await w.newTenant()
      const { id } = tenant
      const suspended = { ...tenant, status: 'suspended', revision: 2 } as const
      expect(await w.tenants.update(suspended, 'tenant.suspend', someOperator)).toBe('committed')
      for (const revision of [1, 2, 4]) {
        const late = { ...suspended, pricing: { ...tenant.pricing, marginBps: 1 }, revision }
        expect(await w.tenants.update(late, 'tenant.update', someAdmin)).toBe('stale')
      }
      expect(await w.tenants.find(id)).toEqual(unused(suspended))
      expect(await auditEntries(w.audit, { subject: id, limit: 10 })).toHaveLength(2)
    })

    test('exactly one of many concurrent updates of one revision commits', async () => {
      const tenant = await w.newTenant()
      const changes = [1, 2, 3, 4, 5].map((marginBps) => ({
        ...tenant,
        pricing: { ...tenant.pricing, marginBps },
        revision: 2,
      }))
      const results = await Promise.all(changes.map((change) => w.tenants.update(change, 'tenant.update', someAdmin)))
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      const winner = changes[results.indexOf('committed')]
      expect(await w.tenants.find(tenant.id)).toEqual(winner && unused(winner))
      expect(await auditEntries(w.audit, { subject: tenant.id, limit: 10 })).toHaveLength(2)
    })

    test('an update of an unknown tenant is stale', async () => {
      const tenant = await w.newTenant()
      const unknown = { ...tenant, id: w.ids.next('ten', someInstant), revision: 2 }
      expect(await w.tenants.update(unknown, 'tenant.update', someOperator)).toBe('stale')
      expect(await w.tenants.find(unknown.id)).toBeUndefined()
    })
  })

  describe(`the list of tenants in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('is newest first, in pages, each tenant once', async () => {
      const tenants = []
      for (const ms of [5, 1, 3, 3, 3, 0]) {
        tenants.push(unused(await w.newTenant({ createdAt: new Date(someInstant.getTime() + ms) })))
      }
      await expectPages(tenants, (query) => w.tenants.list(query))
    })

    test('finds a part of the name, or of the contact’s name or e-mail, whatever its case and accents', async () => {
      const named = (legalName: string, name: string, email: string) =>
        w.newTenant({ legalName, technicalContact: { name, email } })
      const bakery = unused(await named('Panadería El Ñandú S.R.L.', 'Ana Quispe', 'ana@bakery.example'))
      const shop = unused(await named('Librería 100% Illimani', 'José Pérez', 'jose@shop.example'))
      for (const [text, found] of [
        ['panaderia', [bakery]],
        ['PANADERÍA', [bakery]],
        ['nandu s.r', [bakery]],
        ['jose P', [shop]],
        ['@shop', [shop]],
        ['.example', [bakery, shop]],
        ['0% i', [shop]],
        ['ria_', []],
        ['ana\njose', []],
      ] as const)
        await expectPages(found, (query) => w.tenants.list({ ...query, text }))
    })

    test('is empty without tenants', async () => {
      expect(await w.tenants.list({ limit: 10 })).toEqual({ items: [], next: null })
    })
  })
}

/** A tenant without payouts. */
const unused = (tenant: Tenant): TenantRecord => ({ ...tenant, usedToday: noDailyUse })
