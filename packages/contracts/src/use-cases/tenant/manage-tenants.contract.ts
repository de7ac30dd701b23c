import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { bob, usdt } from '@quipu/core'
import {
  defaultPricing,
  erasedContact,
  type IssueApiKeyAnswer,
  manageApiKeys,
  manageTenants,
  noDailyLimits,
  noDailyUse,
  type OpenProposal,
  type ProposalNote,
  type TenantChange,
  Unauthorized,
} from '@quipu/core/operator'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { credentialOf, operatorNamed, type Person } from '../../fixtures/proposal/operators.ts'

type Needed = 'wallets' | 'proposals' | 'tenants' | 'apiKeys' | 'audit' | 'screeningCases'

const unpaid = { cause: 'unpaid', reason: 'octubre', evidence: null } as const
const textOfBigint = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
const note = { reason: 'sale a producción', evidence: null }
const refused = (code: string) => ({ type: 'refused', code })
const issuedOf = (answer: IssueApiKeyAnswer) => (answer.type === 'issued' ? answer : expect.fail(answer.code))

/** Proves `manageTenants` and `manageApiKeys` on a set of stores, with their audit entries. */
export function manageTenantsContract(name: string, open: OpenHarness<Needed>): void {
  describe(`managing on ${name}`, () => {
    const w = useWorld(open)
    const contact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
    const newcomer = { legalName: 'Pagos del Sur S.R.L.', technicalContact: contact, pricing: {} }
    const now = () => someInstant
    const alone = { unapprovedLimits: null, approvableSeconds: 3_600 }
    const tenants = () => manageTenants({ ...w, now }, alone)
    const approve = (proposal: OpenProposal, by: Person) =>
      w.proposals.commit({ ...proposal, status: 'approved', approval: { at: someInstant, by } }, credentialOf(by))
    const changed = async (id: string, change: TenantChange, person: Person = 'ana') => {
      const answer = await tenants().change(operatorNamed(person), id, change)
      if (answer.type !== 'tenant') throw new Error(`the answer is ${JSON.stringify(answer)}`)
      return answer.tenant
    }
    let drawn = 0
    const random = (size: number) => new Uint8Array(size).fill(drawn++)
    const keys = () => manageApiKeys({ ...w, random, now }, 'test')

    test('a new tenant is active, has an empty wallet and the default pricing', async () => {
      const tenant = await tenants().create(operatorNamed('ana'), newcomer)
      expect(tenant).toMatchObject({
        status: 'active',
        ...newcomer,
        pricing: defaultPricing,
        dailyLimits: noDailyLimits,
        usedToday: noDailyUse,
      })
      expect(await w.tenants.find(tenant.id)).toEqual(tenant)
      const wallet = await w.wallets.find(tenant.id)
      expect(wallet).toMatchObject({ available: usdt(0n), held: usdt(0n) })
      expect(wallet?.id).toMatch(/^wal_/)
    })

    test('an erased contact is in no entry of the audit log, which still verifies; a new one is', async () => {
      const { tenants: store, audit } = w
      const { id } = await tenants().create(operatorNamed('ana'), newcomer)
      await changed(id, { technicalContact: { name: 'Luz', email: 'luz@pagos.example' } })
      expect(JSON.stringify(await audit.list({ limit: 9, subject: id }), textOfBigint)).toContain('rosa@pagos')
      const by = { ...operatorNamed('ana'), at: now() }
      expect(await store.eraseContact(id, by)).toBe('unauthorized')
      expect(await store.eraseContact('ten_none', { ...operatorNamed('ada'), at: now() })).toBe('stale')
      expect(await store.eraseContact(id, { ...operatorNamed('ada'), at: now() })).toBe('committed')
      expect(await store.find(id)).toMatchObject({ technicalContact: erasedContact, revision: 3 })
      const entries = await auditEntries(audit, { limit: 9, subject: id })
      expect(JSON.stringify(entries, textOfBigint)).not.toMatch(/rosa|luz/i)
      const gone = { contact_name: null, contact_email: null }
      expect(entries).toMatchObject([
        { action: 'tenant.erase_contact', before: gone, after: { contact_email: erasedContact.email } },
        { action: 'tenant.update', before: gone, after: gone },
        { action: 'tenant.create', after: { ...gone, legal_name: newcomer.legalName } },
      ])
      expect((await audit.verify({ id: 0n, hash: '00'.repeat(32) }, 1_000)).flaw).toBeNull()
      const next = { name: 'Eva', email: 'eva@pagos.example' }
      await changed(id, { technicalContact: next })
      const [newest] = await auditEntries(audit, { limit: 1, subject: id })
      expect(newest).toMatchObject({ before: { contact_name: 'erased' }, after: { contact_email: next.email } })
    })

    test('the same request creates one tenant; another one with its key is refused', async () => {
      const request = { key: 'k1', fingerprint: 'v1:a' }
      const first = await tenants().createOnce(operatorNamed('ana'), newcomer, request)
      if (first.type !== 'tenant') throw new Error('the key is new')
      expect(first.replayed).toBe(false)
      await tenants().suspend(operatorNamed('ana'), first.tenant.id, unpaid)
      const again = await tenants().createOnce(operatorNamed('ana'), newcomer, request)
      const suspension = { ...unpaid, at: someInstant }
      const tenant = { ...first.tenant, status: 'suspended', suspension, revision: 2 }
      expect(again).toEqual({ type: 'tenant', tenant, replayed: true })
      const other = { ...request, fingerprint: 'v1:b' }
      const refused = { type: 'refused', code: 'key_reused' }
      expect(await tenants().createOnce(operatorNamed('ana'), newcomer, other)).toEqual(refused)
      expect((await tenants().createOnce(operatorNamed('luz'), newcomer, other)).type).toBe('tenant')
    })

    test('changes single members of the pricing; the audit log has before and after', async () => {
      const { id } = await tenants().create(operatorNamed('ana'), { ...newcomer, pricing: { marginBps: 150 } })
      const terms = { pricing: { paymentCap: bob(1n), feeBps: 10 } }
      const tenant = await changed(id, terms, 'ben')
      const pricing = { ...defaultPricing, marginBps: 150, feeBps: 10, paymentCap: bob(1n) }
      expect(tenant.pricing).toEqual(pricing)
      expect((await w.tenants.find(id))?.pricing).toEqual(pricing)
      const [entry, created] = await auditEntries(w.audit, { subject: id, limit: 10 })
      expect(created).toMatchObject({ actor: 'ana', action: 'tenant.create', tenantId: id, before: null })
      expect(entry).toMatchObject({
        actor: 'ben',
        action: 'tenant.update',
        tenantId: id,
        before: { fee_bps: 0, payment_cap_bob_minor: '5000000' },
        after: { fee_bps: 10, payment_cap_bob_minor: '1', margin_bps: 150 },
      })
    })

    test('corrects name and contact, and sets and lifts daily limits; the audit log has before and after', async () => {
      const { id } = await tenants().create(operatorNamed('ana'), newcomer)
      const technicalContact = { name: 'Luz Mamani', email: 'luz@pagos.example' }
      await changed(id, { legalName: 'Pagos del Sur S.A.', technicalContact })
      await changed(id, { dailyLimits: { amount: usdt(5n), count: 2 } }, 'ben')
      const lift = { dailyLimits: { amount: null } }
      await expect(tenants().change(operatorNamed('luz'), id, lift)).rejects.toThrow(Unauthorized)
      expect((await tenants().change(operatorNamed('ada'), id, lift)).type).toBe('tenant')
      const tenant = await w.tenants.find(id)
      expect(tenant).toMatchObject({ legalName: 'Pagos del Sur S.A.', technicalContact })
      expect(tenant?.dailyLimits).toEqual({ amount: null, count: 2 })
      const [lifted, set, corrected] = await auditEntries(w.audit, { subject: id, limit: 3 })
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
      const { id } = await tenants().create(operatorNamed('ana'), newcomer)
      await Promise.all([
        changed(id, { pricing: { marginBps: 11 } }, 'ben'),
        changed(id, { pricing: { feeBps: 22 } }, 'ada'),
        changed(id, { pricing: { feeFixed: usdt(33n) } }, 'ben'),
        tenants().suspend(operatorNamed('eva'), id, unpaid),
      ])
      const tenant = await w.tenants.find(id)
      expect(tenant).toMatchObject({ status: 'suspended', pricing: { marginBps: 11, feeBps: 22, feeFixed: usdt(33n) } })
      expect(await auditEntries(w.audit, { subject: id, limit: 10 })).toHaveLength(5)
    })

    test('resume restores a suspended tenant', async () => {
      const tenant = await tenants().create(operatorNamed('ana'), newcomer)
      expect(await tenants().suspend(operatorNamed('ana'), tenant.id, unpaid)).toMatchObject({ status: 'suspended' })
      const resumed = await tenants().resume(operatorNamed('ana'), tenant.id, note)
      expect(resumed).toEqual({ type: 'tenant', tenant: { ...tenant, revision: 3 } })
      const [ended, begun] = await auditEntries(w.audit, { subject: tenant.id, limit: 2 })
      expect(begun?.after).toMatchObject({ suspension_cause: 'unpaid', suspension_reason: 'octubre' })
      expect(ended?.after).toMatchObject({ status: 'active', reason: note.reason })
      expect(ended?.after).not.toHaveProperty('suspension_cause')
    })

    test('a suspension for a court order takes one person, stays, and ends with a second one', async () => {
      const { id } = await tenants().create(operatorNamed('ana'), newcomer)
      const evidence = { note: 'oficio 12', digest: 'c'.repeat(64) }
      const order = { cause: 'court_order', reason: 'juzgado 3º', evidence } as const
      const suspended = await tenants().suspend(operatorNamed('ana'), id, order)
      expect(suspended?.suspension).toEqual({ ...order, at: someInstant })
      expect(await tenants().suspend(operatorNamed('eva'), id, unpaid)).toEqual(suspended)
      const answer = await tenants().resume(operatorNamed('ana'), id, note)
      if (answer.type !== 'proposal') throw new Error('one person resumes it')
      expect(await w.tenants.find(id)).toEqual(suspended)
      expect(await approve(answer.proposal, 'eva')).toBe('committed')
      expect(await w.tenants.find(id)).toMatchObject({ status: 'active', revision: 3 })
      expect(await w.tenants.find(id)).not.toHaveProperty('suspension')
      expect((await w.proposals.find(answer.proposal.id))?.status).toBe('executed')
    })

    test('a proposal to resume ends the suspension that it was made for, and no later one', async () => {
      const { id } = await tenants().create(operatorNamed('ana'), newcomer)
      let at = someInstant
      const later = () => manageTenants({ ...w, now: () => at })
      const fraud = { cause: 'fraud', reason: 'x', evidence: null } as const
      await later().suspend(operatorNamed('ana'), id, fraud)
      const [first, second] = await Promise.all([1, 2].map(() => later().resume(operatorNamed('ana'), id, note)))
      if (first?.type !== 'proposal' || second?.type !== 'proposal') throw new Error('one person resumes it')
      await approve(first.proposal, 'eva')
      at = new Date(someInstant.getTime() + 1)
      await later().suspend(operatorNamed('ana'), id, fraud)
      expect(await approve(second.proposal, 'eva')).toBe('committed')
      expect(await w.proposals.find(second.proposal.id)).toMatchObject({ failure: { code: 'NOT_RESUMABLE' } })
      expect((await w.tenants.find(id))?.status).toBe('suspended')
    })

    test('a proposal to resume fails when screening has found the tenant meanwhile', async () => {
      const { id } = await tenants().create(operatorNamed('ana'), newcomer)
      await tenants().suspend(operatorNamed('ana'), id, { cause: 'fraud', reason: 'x', evidence: null })
      const answer = await tenants().resume(operatorNamed('ana'), id, note)
      if (answer.type !== 'proposal') throw new Error('one person resumes it')
      const list = { list: 'own', version: '1', reason: 'fraud' }
      const about = { kind: 'tenant', subject: id, name: 'Pagos', tenantId: id, reference: id, hits: 1 } as const
      await w.screeningCases.hit(w.ids.next('scr', someInstant), { ...list, ...about, outcome: 'listed' })
      expect(await approve(answer.proposal, 'eva')).toBe('committed')
      expect(await w.proposals.find(answer.proposal.id)).toMatchObject({ failure: { code: 'NOT_RESUMABLE' } })
      expect((await w.tenants.find(id))?.status).toBe('suspended')
    })

    test('changes of unknown tenants and keys are refused', async () => {
      expect(await tenants().suspend(operatorNamed('ana'), 'ten_0', unpaid)).toBeUndefined()
      expect(await tenants().change(operatorNamed('ada'), 'ten_0', {})).toEqual(refused('not_found'))
      const input = { name: 'k', scopes: [], expiresAt: null }
      expect(await keys().issue(operatorNamed('ada'), 'ten_0', input)).toEqual(refused('not_found'))
      expect(await keys().revoke(operatorNamed('ana'), 'key_0')).toBeUndefined()
    })

    test('does not issue an expired key', async () => {
      const { id } = await tenants().create(operatorNamed('ana'), newcomer)
      const input = { name: 'server', scopes: ['payouts:read' as const] }
      const issue = (expiresAt: Date) => keys().issue(operatorNamed('ana'), id, { ...input, expiresAt })
      expect(await issue(someInstant)).toEqual(refused('already_expired'))
      expect((await w.apiKeys.list(id, { limit: 9 })).items).toEqual([])
      expect(await issue(new Date(someInstant.getTime() + 1))).toMatchObject({ record: input })
    })

    test('an issued key is found by its hash, can be revoked, and never appears in the audit log', async () => {
      const { id } = await tenants().create(operatorNamed('ana'), newcomer)
      const input = { name: 'server', scopes: ['payouts:read'], expiresAt: null } as const
      const issued = await keys().issue(operatorNamed('ana'), id, input)
      if (issued.type === 'refused') throw new Error(issued.code)
      expect(issued.proposal).toBeNull()
      expect((await w.apiKeys.findCaller(issued.record.hash))?.key).toEqual(issued.record)
      expect(await keys().revoke(operatorNamed('luz'), issued.record.id)).toBe(true)
      expect(await keys().revoke(operatorNamed('luz'), issued.record.id)).toBe(true)
      expect((await w.apiKeys.find(issued.record.id))?.revokedAt).toEqual(someInstant)
      const log = await auditEntries(w.audit, { subject: issued.record.id, limit: 10 })
      expect(log.map(({ action }) => action)).toEqual(['api_key.revoke', 'api_key.issue'])
      expect(log.map(({ tenantId }) => tenantId)).toEqual([id, id])
      expect(JSON.stringify(log)).not.toContain(issued.key)
      expect(JSON.stringify(log)).not.toContain(issued.record.hash)
    })

    test('a rotated key has the name, rights, addresses and life of the one that it replaces', async () => {
      const { id } = await tenants().create(operatorNamed('ana'), newcomer)
      const input = { name: 'server', scopes: ['payouts:read'], allowedAddresses: ['192.0.2.1'] } as const
      const after = (seconds: number) => new Date(someInstant.getTime() + seconds * 1_000)
      const old = issuedOf(await keys().issue(operatorNamed('ana'), id, { ...input, expiresAt: after(900) }))
      const later = manageApiKeys({ ...w, random, now: () => after(5) }, 'test')
      const rotate = (keyId: string) => later.rotate(operatorNamed('ana'), keyId, 60)
      const { key, record, proposal } = issuedOf(await rotate(old.record.id))
      const replaces = { keyId: old.record.id, overlapSeconds: 60 }
      expect(record).toMatchObject({ ...input, tenantId: id, createdAt: after(5), expiresAt: after(905), replaces })
      expect([record.activatedAt, proposal, key === old.key]).toEqual([after(5), null, false])
      expect(await w.apiKeys.find(record.id)).toEqual(record)
      expect(await later.setAllowedAddresses(operatorNamed('ada'), record.id, null)).toEqual({
        ...record,
        allowedAddresses: null,
      })
      await keys().revoke(operatorNamed('luz'), record.id)
      expect([await rotate(record.id), await rotate('key_0')]).toEqual([refused('not_active'), refused('not_found')])
      expect(await later.setAllowedAddresses(operatorNamed('ada'), record.id, null)).toBe('not_found')
    })

    test('a live key that pays is issued by two admins; its key is shown to the first', async () => {
      const { id } = await tenants().create(operatorNamed('ana'), newcomer)
      const live = manageApiKeys({ ...w, random, now }, 'live', { approvableSeconds: 60 })
      const input = { name: 'server', scopes: ['payouts:write' as const], expiresAt: null }
      const [ada, ana] = [operatorNamed('ada'), operatorNamed('ana')]
      expect(await live.issue(ada, id, input)).toEqual(refused('needs_note'))
      expect(await live.issue(ana, id, input, note)).toEqual(refused('needs_admin'))
      expect((await w.apiKeys.list(id, { limit: 9 })).items).toEqual([])
      const issued = await live.issue(ada, id, input, note)
      if (issued.type === 'refused') throw new Error(issued.code)
      const { proposal, key, record } = issued
      expect(await w.apiKeys.find(record.id)).toEqual({ ...record, activatedAt: null })
      const stored = await w.proposals.find(proposal?.id ?? '')
      expect(stored).toEqual(proposal)
      expect(stored?.expiresAt).toEqual(new Date(someInstant.getTime() + 60_000))
      expect(JSON.stringify(stored)).not.toContain(key)
      expect(JSON.stringify(stored)).not.toContain(record.hash)
      const reading = { ...input, scopes: ['payouts:read' as const] }
      expect(await live.issue(ana, id, reading)).toMatchObject({ proposal: null })
      if (proposal) expect(await approve(proposal, 'ben')).toBe('committed')
      expect(await live.rotate(ana, record.id, 60, note)).toEqual(refused('needs_admin'))
      expect(await live.rotate(ada, record.id, 60)).toEqual(refused('needs_note'))
      const next = issuedOf(await live.rotate(ada, record.id, 60, note))
      expect(next).toMatchObject({ record: { activatedAt: null }, proposal: { status: 'open' } })
    })

    test('limits above the unapproved ones take two admins, and a request of their own', async () => {
      const { id } = await tenants().create(operatorNamed('ana'), {
        ...newcomer,
        dailyLimits: { amount: usdt(100n), count: 10 },
      })
      const settings = { unapprovedLimits: { paymentCap: bob(60_000_00n), amount: usdt(500n) }, approvableSeconds: 60 }
      const strict = manageTenants({ ...w, now }, settings)
      const change = (of: TenantChange, with_: ProposalNote | undefined = note) =>
        strict.change(operatorNamed('ada'), id, of, with_)
      const cap = (minor: bigint) => ({ pricing: { paymentCap: bob(minor) } })
      expect(await change(cap(60_000_00n))).toMatchObject({ tenant: cap(60_000_00n) })
      const amount = { dailyLimits: { amount: usdt(500n) } }
      expect(await change(amount)).toMatchObject({ tenant: amount })
      for (const above of [
        cap(60_000_01n),
        { dailyLimits: { amount: usdt(501n) } },
        { dailyLimits: { amount: null } },
        { dailyLimits: { count: 11 } },
        { dailyLimits: { count: null } },
      ]) {
        expect(await strict.change(operatorNamed('ada'), id, above)).toEqual(refused('needs_note'))
        for (const more of [{ pricing: { ...cap(60_000_01n).pricing, feeBps: 1 } }, { legalName: 'x' }])
          expect(await change({ ...above, ...more })).toEqual(refused('needs_own_request'))
        const expiresAt = new Date(someInstant.getTime() + 60_000)
        const answer = await change(above)
        if (answer.type !== 'proposal') throw new Error('one admin raises limits')
        expect(answer.proposal).toMatchObject({ status: 'open', tenantId: id, expiresAt })
        const limits = 'pricing' in above ? above.pricing : above.dailyLimits
        expect(answer.proposal.action).toEqual({ type: 'change_limits', tenantId: id, limits })
      }
      const { pricing, dailyLimits } = (await w.tenants.find(id)) ?? {}
      expect([pricing?.paymentCap, dailyLimits]).toEqual([bob(60_000_00n), { amount: usdt(500n), count: 10 }])
      expect(await change(cap(1n))).toMatchObject({ tenant: cap(1n) })
    })

    test('where limits take two admins, so do prices, with a reason and in a request of their own', async () => {
      const { id, pricing } = await tenants().create(operatorNamed('ana'), newcomer)
      const strict = manageTenants({ ...w, now })
      const change = (of: TenantChange, with_?: ProposalNote) => strict.change(operatorNamed('ada'), id, of, with_)
      const cheaper = { pricing: { marginBps: 0 } }
      expect(await change(cheaper)).toEqual(refused('needs_note'))
      expect(await change({ ...cheaper, legalName: 'x' }, note)).toEqual(refused('needs_own_request'))
      expect(await change({ pricing: { marginBps: pricing.marginBps } })).toMatchObject({ type: 'tenant' })
      const answer = await change(cheaper, note)
      if (answer.type !== 'proposal') throw new Error('one person changes prices')
      expect(answer.proposal.action).toEqual({ type: 'change_pricing', tenantId: id, prices: { marginBps: 0 } })
      expect((await w.tenants.find(id))?.pricing).toEqual(pricing)
      expect(await approve(answer.proposal, 'eva')).toBe('unauthorized')
      expect(await approve(answer.proposal, 'ben')).toBe('committed')
      expect((await w.tenants.find(id))?.pricing).toEqual({ ...pricing, marginBps: 0 })
    })
  })
}
