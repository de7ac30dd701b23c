import { describe, expect, test } from 'vitest'
import { bob, usdt } from '@quipu/core'
import { type FinalAnswer, ownerClaim, type ProcessingPayout } from '@quipu/core/adapter'
import { auditNetwork, type NetworkConfirmation, networkSeenSeconds, type SettlePayout } from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { paidAnswer } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { laterInstant, someInstant } from '../../fixtures/instants.ts'
import { recordPayoutStepOf } from '../../fixtures/payout/decided-settlement.ts'
import { openProposalOf } from '../../fixtures/proposal/approve-action.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

type Needed =
  | 'networks'
  | 'networkCalls'
  | 'payoutDecisions'
  | 'payouts'
  | 'quotes'
  | 'wallets'
  | 'proposals'
  | 'tenants'
  | 'audit'

const [ours, other] = ['https://qr.example', 'https://staging.example']
const [ada, ana] = [credentialOf('ada'), credentialOf('ana')]

/** The contract of a `NetworkStore`. */
export function networkStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`network store in ${name}`, () => {
    const w = useWorld(open, 'each')
    const after = (seconds: number): Date => new Date(someInstant.getTime() + seconds * 1_000)
    const processing = async (createdAt: Date, tenant?: string): Promise<ProcessingPayout> => {
      const tenantId = tenant ?? (await w.newWallet(usdt(100n)))
      return w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }), { createdAt })
    }
    const completed = async (createdAt: Date, answer?: FinalAnswer): Promise<ProcessingPayout> => {
      const payout = await processing(createdAt)
      const write = w.settleCommit(payout, answer ?? paidAnswer(payout))
      expect(await w.payouts.commit(write)).toBe('committed')
      return payout
    }
    const knownOf = ({ tenantId, id }: ProcessingPayout) => w.networks.knownPayment({ tenantId, payoutId: id })
    const payment = ({ tenantId, id, networkRef, createdAt }: ProcessingPayout) => {
      const instants = { createdAt, endedAt: expect.any(Date) as Date }
      return { tenantId, payoutId: id, networkRef, ...instants }
    }
    /** A move that an admin confirms. */
    const confirmed = async (identity: string, at: Date) => {
      const confirmation = { identity, by: 'ada', at, reason: 'La red se mudó. 💸' }
      expect(await w.networks.confirm(confirmation, ada)).toBe('committed')
      return confirmation
    }

    test('the first network is the database’s; another one halts as long as it is presented', async () => {
      const { networks, advance } = w
      expect(await networks.read()).toEqual({ network: null, halts: [] })
      expect(await networks.meet(ours)).toBe('ours')
      expect(await networks.meet(ours)).toBe('ours')
      expect(await networks.meet(other)).toBe('other')
      const { network, halts } = await networks.read()
      expect(network).toMatchObject({ identity: ours, by: null, reason: null })
      expect(halts).toEqual([{ identity: other, payoutId: null, since: expect.any(Date) as Date }])
      await advance(networkSeenSeconds - 5)
      expect(await networks.meet(other)).toBe('other')
      expect(await networks.meet(ours)).toBe('ours')
      await advance(networkSeenSeconds - 5)
      expect((await networks.read()).halts).toEqual(halts)
      await advance(10)
      expect((await networks.read()).halts).toEqual([])
    })

    test('of concurrent first networks one is the database’s', async () => {
      const { networks } = w
      const states = await Promise.all([ours, other, 'https://third.example'].map(networks.meet))
      expect(states.toSorted()).toEqual(['other', 'other', 'ours'])
    })

    test('a network that did not know a completed payout halts until an admin confirms it', async () => {
      const { networks, advance, audit } = w
      await networks.meet(ours)
      const { id } = await completed(someInstant)
      await networks.halt(other, id)
      expect(await networks.meet(ours)).toBe('ours')
      await networks.halt(ours, id)
      await networks.halt(ours, id)
      expect(await networks.meet(ours)).toBe('forgetful')
      await advance(10 * networkSeenSeconds)
      expect((await networks.read()).halts).toMatchObject([{ identity: ours, payoutId: id }])

      const at = new Date((await networks.read()).network?.at ?? 0)
      const confirmation: NetworkConfirmation & { by: string; reason: string } = {
        identity: ours,
        by: 'ada',
        reason: 'Se restauró.',
        at: new Date(at.getTime() + 1e3),
      }
      expect(await networks.confirm({ ...confirmation, by: 'ana' }, ana)).toBe('unauthorized')
      expect(await networks.confirm(confirmation, credentialOf('nobody'))).toBe('unauthorized')
      expect(await networks.meet(ours)).toBe('forgetful')
      expect(await networks.confirm(confirmation, ada)).toBe('committed')
      expect(await networks.confirm(confirmation, ada)).toBe('stale')
      expect(await networks.meet(ours)).toBe('ours')
      expect(await networks.read()).toEqual({ network: confirmation, halts: [] })
      expect(await auditEntries(audit, { subject: 'network', limit: 9 })).toEqual([
        auditNetwork(confirmation, ours, originOf('ada')),
      ])
    })

    test('after a confirmed move the network of before is another one', async () => {
      const { networks } = w
      await networks.meet(ours)
      await networks.meet(other)
      const { network } = await networks.read()
      await confirmed(other, network?.at ?? someInstant)
      expect((await networks.read()).network?.at.getTime()).toBe((network?.at.getTime() ?? 0) + 1)
      expect(await networks.meet(other)).toBe('ours')
      expect(await networks.meet(ours)).toBe('other')
    })

    test('only a completed payout halts', async () => {
      const { networks } = w
      await networks.meet(ours)
      const { id } = await processing(someInstant)
      await expect(networks.halt(ours, id)).rejects.toThrow(id)
      await expect(networks.halt(ours, 'po_none')).rejects.toThrow('po_none')
      expect(await networks.meet(ours)).toBe('ours')
    })

    test('the known payment is the newest completed one of all tenants', async () => {
      await w.networks.meet(ours)
      const open = await processing(after(1))
      expect(await knownOf(open)).toEqual({ payment: null, isCurrent: true })
      const first = await completed(after(0))
      expect(await knownOf(open)).toEqual({ payment: payment(first), isCurrent: true })
      const later = await completed(after(2))
      const { tenantId } = await processing(after(3))
      await completed(after(4), { type: 'cancelled' })
      const declined = w.insertEndedCommit(await w.newQuote(tenantId, { source: usdt(1n) }))
      expect(await w.payouts.commit(declined)).toBe('committed')
      expect(await knownOf(open)).toEqual({ payment: payment(later), isCurrent: true })
      await expect(knownOf({ ...open, id: 'po_none' })).rejects.toThrow()
    })

    test('after a move the known payment is of the time of the payout', async () => {
      const hour = 3_600
      await w.networks.meet(ours)
      const before = await completed(after(0))
      const old = await processing(after(1))
      const meeting = (await w.networks.read()).network?.at ?? someInstant
      const movedAt = new Date(Math.max(after(hour).getTime(), meeting.getTime() + 1_000))
      const sinceMove = (seconds: number) => new Date(movedAt.getTime() + seconds * 1_000)
      await confirmed(other, movedAt)
      const young = await processing(sinceMove(1))
      expect(await knownOf(old)).toEqual({ payment: payment(before), isCurrent: false })
      expect(await knownOf(young)).toEqual({ payment: null, isCurrent: true })
      const newest = await completed(sinceMove(2))
      expect(await knownOf(old)).toEqual({ payment: payment(before), isCurrent: false })
      expect(await knownOf(young)).toEqual({ payment: payment(newest), isCurrent: true })
    })

    test('the network need not know a payout that people settled', async () => {
      await w.networks.meet(ours)
      const known = await completed(after(0))
      const payout = await processing(after(1))
      const ref = { tenantId: payout.tenantId, payoutId: payout.id }
      const call = { id: w.ids.next('nwc', someInstant), createdAt: someInstant, durationMs: 0 }
      const author = { queriedBy: 'worker', actor: null, detail: null } as const
      await w.payouts.renew(ownerClaim(payout), 60)
      await w.networkCalls.record(ref, [{ ...call, ...author, kind: 'status', answer: 'not_seen' }])
      const action: SettlePayout = {
        type: 'settle_payout',
        payoutId: payout.id,
        outcome: 'completed',
        paid: bob(100n),
        networkPaymentId: null,
      }
      const id = w.ids.next('prp', someInstant)
      const note = { actor: 'ana', reason: 'carta' }
      const evidence = { note: 'carta', digest: 'd'.repeat(64) }
      const proposal = { ...openProposalOf({ id, tenantId: payout.tenantId, ...note }, action), evidence }
      await w.proposals.insert(proposal, ana)
      const approval = { at: someInstant, by: 'eva' }
      await w.proposals.commit({ ...proposal, status: 'approved', approval }, credentialOf('eva'))
      const step = recordPayoutStepOf(w.ids, payout, action, laterInstant)
      const settlement = { step, action, proposalId: id, ...note }
      expect(await w.payoutDecisions.settle(settlement)).toBe('committed')
      const open = await processing(after(3))
      expect(await knownOf(open)).toEqual({ payment: payment(known), isCurrent: true })
    })
  })
}
