import { describe, expect, test } from 'vitest'
import {
  type Alert,
  createPayout,
  defaultPayoutSettings,
  defaultScreenSettings,
  resolveQr,
  type ScreeningAnswer,
  screenSubjects,
  Unavailable,
  usdt,
} from '@quipu/core'
import {
  defaultProposalSettings,
  endOutages,
  manageProposals,
  manageTenants,
  type Proposal,
  screenAllTenants,
  type ScreeningDecision,
} from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { someQr } from '../../fixtures/builders.ts'
import { accountOf } from '../../fixtures/deposit/addresses.ts'
import { depositHarness } from '../../fixtures/deposit/deposit-harness.ts'
import { encodeForTest } from '../../fixtures/encode-for-test.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { payoutHarness } from '../../fixtures/payout/payout-harness.ts'
import { operatorNamed, originOf } from '../../fixtures/proposal/operators.ts'

const clear: ScreeningAnswer = { outcome: 'clear', list: 'own', version: '1' }
const listed: ScreeningAnswer = { outcome: 'listed', list: 'own', version: '1', reason: 'fraud' }
const note = { reason: 'otra persona', evidence: { note: 'registro', digest: 'ab'.repeat(32) } }
const contact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }

/** The contract of screening on a set of stores: who is held, what people decide, and what follows. */
export function screeningCasesContract(name: string, open: OpenHarness): void {
  describe(`screening on ${name}`, () => {
    const w = useWorld(open, 'each')

    /** A provider whose answer the test sets; undefined: none. */
    function begin(start: ScreeningAnswer = clear) {
      const alerts: Alert[] = []
      const provider: { answer: ScreeningAnswer | undefined; claimCount: number; seconds: number } = {
        answer: start,
        claimCount: 0,
        seconds: 0,
      }
      const screening = {
        name: 'provider',
        isLocal: false,
        screen: async (): Promise<ScreeningAnswer> => {
          provider.claimCount += 1
          if (provider.answer === undefined) throw new Unavailable('screening', 'no answer')
          return provider.answer
        },
      }
      const now = () => new Date(Date.now() + provider.seconds * 1_000)
      const raiseAlert = (alert: Alert) => void alerts.push(alert)
      const cases = w.screeningCases
      const screen = screenSubjects({ screening, cases, ids: w.ids, now, raiseAlert }, defaultScreenSettings)
      const alone = { unapprovedLimits: null, approvableSeconds: 60 }
      const tenants = manageTenants({ ...w, now: () => new Date(), screen }, alone)
      const proposals = manageProposals(
        { ...w, encodeEvent: encodeForTest, now: () => new Date() },
        { ...defaultProposalSettings, approvalLimit: usdt(1_000_000_000n) },
      )
      const all = async () => (await cases.list({ limit: 10 })).items
      const decide = async (id: string, decision: ScreeningDecision): Promise<Proposal> => {
        const proposed = await proposals.decideScreening(operatorNamed('ana'), id, decision, note)
        if (proposed.type === 'refused') throw new Error(proposed.code)
        expect(proposed.proposal.status).toBe('open')
        const approved = await proposals.approve(operatorNamed('ben'), proposed.proposal.id)
        if (approved.type === 'refused') throw new Error(approved.code)
        return approved.proposal
      }
      return { w, alerts, provider, screening, screen, tenants, proposals, all, decide }
    }

    async function deposited(begun: ReturnType<typeof begin>) {
      const harness = await depositHarness(begun.w, begun.screen)
      const { chain, topUp, finalizeAll } = harness
      chain.mine(chain.pay(topUp.account, 5_000_000n, { from: accountOf('sender') }))
      await finalizeAll()
      return { ...harness, found: await harness.deposit() }
    }

    async function paying({ w, screen }: ReturnType<typeof begin>) {
      const tenantId = await w.newWallet(usdt(1_000_000_000n))
      const tenant = await w.tenants.find(tenantId)
      if (!tenant) throw new Error('the tenant was just created')
      const { ports: given, request, network } = payoutHarness(w)
      const timer = () => ({ done: new Promise<void>(() => undefined), cancel: () => undefined })
      const ports = { ...given, network, payouts: w.payouts, timer, inBackground: () => undefined }
      network.readQr = async () => ({
        ...someQr,
        type: 'read',
        networkRef: 'r',
        amount: null,
        description: null,
        expiresAt: null,
      })
      const create = createPayout({ ...ports, screen }, defaultPayoutSettings)
      const pay = async () => create(tenant, request(await w.newQuote(tenantId)))
      const resolve = async () =>
        resolveQr({ ...w, ...ports, screen }, { environment: 'sandbox', answerWithinMs: 60_000 })(tenant, {
          content: 'a QR',
        })
      return { tenantId, pay, resolve, network }
    }

    test('a clear sender is credited, and the deposit keeps the answer', async () => {
      const begun = begin()
      const { id, status } = (await deposited(begun)).found
      expect(status).toBe('credited')
      expect(await begun.w.deposits.screening(id)).toBe('clear: own 1')
      expect(await begun.all()).toEqual([])
    })

    test('a listed sender is in review with a case; two people credit it, whatever the amount', async () => {
      const begun = begin(listed)
      const { found: deposit, topUp, chain, finalizeAll, deposits } = await deposited(begun)
      const { id, tenantId } = deposit
      expect(deposit).toMatchObject({ status: 'in_review', reviewCode: 'SENDER_LISTED' })
      const [found] = await begun.all()
      const about = { kind: 'sender', name: deposit.fromAddress, tenantId, reference: id, list: 'own', version: '1' }
      expect(found).toMatchObject({ ...about, outcome: 'listed', reason: 'fraud', hits: 1, status: 'open' })
      expect(await begun.w.deposits.screening(id)).toBe(`listed: ${found?.id}`)

      chain.mine(chain.pay(topUp.account, 6_000_000n, { from: accountOf('sender') }))
      await finalizeAll()
      expect(await begun.all()).toMatchObject([{ id: found?.id, hits: 2 }])
      expect(begun.alerts).toMatchObject([{ code: 'SCREENING_CASE', subject: found?.id, tenantId }])

      const credit = await begun.proposals.resolveDeposit(operatorNamed('ana'), id, 'credit_deposit', note)
      const action = { type: 'credit_deposit', reviewCode: 'SENDER_LISTED' }
      expect(credit).toMatchObject({ proposal: { status: 'open', action } })
      if (credit.type === 'refused') throw new Error(credit.code)
      const approved = await begun.proposals.approve(operatorNamed('eva'), credit.proposal.id)
      expect(approved).toMatchObject({ proposal: { status: 'executed' } })
      expect((await deposits()).find((one) => one.id === id)).toMatchObject({ status: 'credited' })
    })

    test('a sender whose case two people have cleared passes from then on', async () => {
      const begun = begin(listed)
      const { topUp, chain, finalizeAll } = await deposited(begun)
      const [found] = await begun.all()
      const proposal = await begun.decide(found?.id ?? '', 'cleared')
      expect(proposal.status).toBe('executed')
      expect(await begun.w.screeningCases.find(found?.id ?? '')).toMatchObject({
        status: 'cleared',
        decidedBy: 'ben',
        proposalId: proposal.id,
      })
      chain.mine(chain.pay(topUp.account, 7_000_000n, { from: accountOf('sender') }))
      expect(await finalizeAll()).toMatchObject([{ status: 'credited' }])
      expect(await begun.all()).toMatchObject([{ hits: 1 }])
      const [entry] = await auditEntries(begun.w.audit, { limit: 1, subject: found?.id ?? '' })
      const after = { status: 'cleared', kind: 'sender', list: 'own', reason: 'fraud', proposal_id: proposal.id }
      expect(entry).toMatchObject({ ...originOf('ana'), action: 'screening.decide', before: { status: 'open' }, after })
      const again = await begun.proposals.decideScreening(operatorNamed('ana'), found?.id ?? '', 'cleared', note)
      expect(again).toEqual({ type: 'refused', code: 'already_decided' })
    })

    test('a sender that nothing answers about is in review, decided again by itself, or at an operator’s request', async () => {
      const begun = begin()
      begun.provider.answer = undefined
      const { found: deposit, settle, available } = await deposited(begun)
      const { id } = deposit
      expect(deposit).toMatchObject({ status: 'in_review', reviewCode: 'SENDER_NOT_SCREENED' })
      expect(await begun.all()).toMatchObject([{ kind: 'sender', outcome: 'unanswered', reference: id }])
      expect(await settle()).toEqual([])
      const alone = await begun.proposals.resolveDeposit(operatorNamed('ana'), id, 'credit_deposit', note)
      expect(alone).toMatchObject({ proposal: { status: 'open', action: { reviewCode: 'SENDER_NOT_SCREENED' } } })

      const by = { ...operatorNamed('eva'), at: new Date() }
      const viewer = { ...operatorNamed('vic'), at: new Date() }
      expect(await begun.w.deposits.screenAgain(deposit, viewer)).toBe('unauthorized')
      expect(await begun.w.deposits.screenAgain(deposit, by)).toBe('committed')
      await settle()
      expect((await begun.w.deposits.attempts(id))?.problem).toContain('screening')
      begun.provider.answer = clear
      await begun.w.deposits.screenAgain(deposit, { ...by, at: new Date() })
      expect(await settle()).toMatchObject([{ status: 'credited' }])
      expect(await available()).toBe(5_000_000n)
      expect(await begun.w.deposits.screenAgain(deposit, by)).toBe('stale')
      expect(await begun.w.deposits.screening(id)).toBe('clear: own 1')
    })

    test('a listed merchant is a refused QR, and nothing is paid', async () => {
      const begun = begin(listed)
      const { pay, resolve, network, tenantId } = await paying(begun)
      const paid = await pay()
      expect(paid).toMatchObject({ payout: { status: 'rejected', error: { code: 'QR_REFUSED' } } })
      expect(await resolve()).toEqual({ type: 'refused', code: 'QR_REFUSED' })
      expect(network.orders).toEqual([])
      expect(await begun.all()).toMatchObject([{ kind: 'merchant', name: someQr.merchant.name, tenantId, hits: 2 }])
      await begun.decide((await begun.all())[0]?.id ?? '', 'cleared')
      expect(await pay()).toMatchObject({ payout: { status: 'completed' } })
    })

    test('a merchant that nothing answers about is not paid; an outage is one case, which ends with it', async () => {
      const begun = begin()
      begun.provider.answer = undefined
      const { pay, resolve, network } = await paying(begun)
      await expect(pay()).rejects.toMatchObject({ dependency: 'screening' })
      await expect(resolve()).rejects.toMatchObject({ dependency: 'screening' })
      begun.provider.seconds += 11
      await expect(pay()).rejects.toThrow(Unavailable)
      expect(network.orders).toEqual([])
      expect(await begun.all()).toMatchObject([{ outcome: 'unanswered', hits: 3, list: 'provider', status: 'open' }])
      expect(begun.alerts).toHaveLength(1)
      await endOutages({ cases: begun.w.screeningCases, screening: begun.screening })
      expect(await begun.all()).toMatchObject([{ status: 'open' }])
      begun.provider.answer = clear
      await endOutages({ cases: begun.w.screeningCases, screening: begun.screening })
      expect(await begun.all()).toMatchObject([{ status: 'answered' }])
      begun.provider.answer = undefined
      begun.provider.seconds += 11
      await expect(pay()).rejects.toThrow(Unavailable)
      expect(await begun.all()).toMatchObject([{ status: 'open', hits: 4 }])
      expect(begun.alerts).toHaveLength(2)
    })

    test('a clear answer about a merchant serves its payouts for five minutes', async () => {
      const begun = begin()
      const { pay } = await paying(begun)
      for (let time = 0; time < 3; time++) expect(await pay()).toMatchObject({ payout: { status: 'completed' } })
      expect(begun.provider.claimCount).toBe(1)
      begun.provider.seconds += 300
      await pay()
      expect(begun.provider.claimCount).toBe(2)
    })

    test('a new tenant that is listed is suspended until two people clear its case', async () => {
      const begun = begin(listed)
      const { id, status } = await begun.tenants.create(operatorNamed('ana'), {
        legalName: 'Fraude',
        technicalContact: contact,
      })
      expect(status).toBe('suspended')
      const [found] = await begun.all()
      expect(found).toMatchObject({ kind: 'tenant', tenantId: id, name: 'Fraude, Rosa Quispe', status: 'open' })
      const [entry] = await auditEntries(begun.w.audit, { limit: 1, subject: id })
      expect(entry).toMatchObject({ actor: null, action: 'tenant.suspend', after: { screening_case: found?.id } })
      expect(await begun.tenants.resume(operatorNamed('ana'), id, note)).toEqual({ type: 'refused', code: 'listed' })
      await begun.decide(found?.id ?? '', 'confirmed')
      expect(await begun.tenants.resume(operatorNamed('ana'), id, note)).toEqual({ type: 'refused', code: 'listed' })
      await begun.decide(found?.id ?? '', 'cleared')
      expect(await begun.tenants.resume(operatorNamed('ana'), id, note)).toMatchObject({ tenant: { status: 'active' } })
    })

    test('a tenant is screened when its names change, and every night; prices need no answer', async () => {
      const begun = begin()
      const input = { legalName: 'Tienda', technicalContact: contact }
      const { id } = await begun.tenants.create(operatorNamed('ana'), input)
      begun.provider.answer = undefined
      const renamed = begun.tenants.change(operatorNamed('ana'), id, { legalName: 'Otra' })
      await expect(renamed).rejects.toMatchObject({ dependency: 'screening' })
      expect(await begun.w.tenants.find(id)).toMatchObject({ legalName: 'Tienda', status: 'active' })
      expect(await begun.tenants.change(operatorNamed('ben'), id, { pricing: { marginBps: 7 } })).toMatchObject({
        type: 'tenant',
      })
      begun.provider.seconds += 300
      expect(await screenAllTenants({ tenants: begun.w.tenants, screen: begun.screen })).toEqual({
        screened: 1,
        unanswered: 1,
      })
      expect(await begun.w.tenants.find(id)).toMatchObject({ status: 'active' })
      begun.provider.answer = listed
      expect(await screenAllTenants({ tenants: begun.w.tenants, screen: begun.screen })).toEqual({
        screened: 1,
        unanswered: 0,
      })
      expect(await begun.w.tenants.find(id)).toMatchObject({ status: 'suspended' })
    })

    test('a new tenant that nothing answers about is suspended until `resume` gets an answer', async () => {
      const begun = begin()
      begun.provider.answer = undefined
      const { id, status } = await begun.tenants.create(operatorNamed('ana'), {
        legalName: 'Tienda',
        technicalContact: contact,
      })
      expect(status).toBe('suspended')
      await expect(begun.tenants.resume(operatorNamed('ana'), id, note)).rejects.toThrow(Unavailable)
      begun.provider.answer = clear
      expect(await begun.tenants.resume(operatorNamed('ana'), id, note)).toMatchObject({ tenant: { status: 'active' } })
    })

    test('cases are listed by status, kind and tenant', async () => {
      const begun = begin(listed)
      const { tenantId } = await paying(begun)
      await begun.screen({ kind: 'merchant', texts: ['Ana'], id: '1' }, { tenantId, reference: null })
      await begun.screen({ kind: 'sender', texts: ['T1'], id: '' }, { tenantId: null, reference: null })
      const { list } = begun.w.screeningCases
      const kinds = async (query: Partial<Parameters<typeof list>[0]>) =>
        (await list({ limit: 9, ...query })).items.map(({ kind }) => kind)
      expect(await kinds({ status: 'open' })).toHaveLength(2)
      expect(await kinds({ status: 'cleared' })).toEqual([])
      expect(await kinds({ kind: 'sender' })).toEqual(['sender'])
      expect(await kinds({ tenantId })).toEqual(['merchant'])
      expect((await list({ limit: 1 })).next).not.toBeNull()
    })
  })
}
