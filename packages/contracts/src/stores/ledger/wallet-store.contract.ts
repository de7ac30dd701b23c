import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { MAX_MINOR, usdt } from '@quipu/core'
import { type Adjustment, auditAdjustment } from '@quipu/core/operator'
import { paidAnswer, uncapped } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { adjustWallet, approveAdjustment, openProposalOf } from '../../fixtures/proposal/approve-action.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'payouts' | 'payoutDecisions' | 'quotes' | 'wallets' | 'proposals' | 'tenants' | 'audit'

/** The contract of a `WalletStore`. `payoutStoreContract` proves what payouts move. */
export function walletStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`wallet store in ${name}`, () => {
    const w = useWorld(open)

    test('a new tenant’s wallet and totals are zero', async () => {
      const tenant = await w.newTenant()
      expect(await w.wallets.find(tenant.id)).toMatchObject({
        tenantId: tenant.id,
        available: usdt(0n),
        held: usdt(0n),
        createdAt: tenant.createdAt,
      })
      expect(await w.wallets.totals(tenant.id)).toEqual(totals({}))
    })

    test('finds no wallet of an unknown tenant', async () => {
      expect(await w.wallets.find(w.ids.next('ten', someInstant))).toBeUndefined()
    })

    test('adjustments change the balance and the totals', async () => {
      const { id } = await w.newTenant()
      expect(await adjustWallet(w, adjusting(w, id, 'in', 100n))).toBe('committed')
      expect(await adjustWallet(w, adjusting(w, id, 'out', 30n))).toBe('committed')
      expect(await w.wallets.find(id)).toMatchObject({ available: usdt(70n), held: usdt(0n) })
      expect(await w.wallets.totals(id)).toEqual(totals({ adjusted: usdt(70n) }))
    })

    test('a completed payout is refunded once, with at most its price, in a row that names it', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }))
      const { id: payoutId, transactionId } = payout
      const refund = (minor: bigint, over: Partial<Adjustment> = {}) =>
        adjustWallet(w, { ...adjusting(w, tenantId, 'in', minor), payoutId, ...over })
      expect(await refund(30n)).toBe('not_refundable')
      expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))).toBe('committed')
      expect(await refund(31n)).toBe('not_refundable')
      expect(await refund(30n, { direction: 'out' })).toBe('not_refundable')
      const other = await w.newWallet(usdt(1n))
      expect(await refund(1n, { tenantId: other })).toBe('not_refundable')
      const booked = { differenceId: w.ids.next('dif', someInstant) }
      expect(await refund(1n, booked)).toBe('not_refundable')
      const failed = await w.newPayout(await w.newQuote(tenantId, { source: usdt(5n) }))
      expect(await w.payouts.commit(w.settleCommit(failed, { type: 'refused_payment' }))).toBe('committed')
      expect(await refund(1n, { payoutId: failed.id })).toBe('not_refundable')
      const isRefunded = async () => (await w.payoutDecisions.find(payoutId))?.isRefunded
      expect(await isRefunded()).toBe(false)
      const results = await Promise.all([refund(30n), refund(30n), refund(1n)])
      expect(await isRefunded()).toBe(true)
      expect(results.toSorted().slice(0, 2)).toEqual(['already_refunded', 'already_refunded'])
      expect(results).toContain('committed')
      const [row] = (await w.wallets.transactions(tenantId, { limit: 1 })).items
      expect(row).toMatchObject({ direction: 'in', type: 'adjustment', payoutId, transactionId })
      expect((await w.payouts.get(tenantId, payoutId))?.status).toBe('completed')
    })

    test('concurrent repeats of an adjustment post it once', async () => {
      const { id } = await w.newTenant()
      const adjustment = adjusting(w, id, 'in', 100n)
      await approveAdjustment(w, adjustment)
      const results = await Promise.all(Array.from({ length: 8 }, () => w.wallets.adjust(adjustment)))
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      expect(results.filter((result) => result === 'stale')).toHaveLength(7)
      expect(await w.wallets.find(id)).toMatchObject({ available: usdt(100n) })
      expect(await w.wallets.totals(id)).toEqual(totals({ adjusted: usdt(100n) }))
      expect(await auditEntries(w.audit, { subject: id, limit: 10 })).toHaveLength(2)
    })

    test('an adjustment out is limited to the available balance, without holds', async () => {
      const id = await w.newWallet(usdt(100n))
      await w.newPayout(await w.newQuote(id, { source: usdt(60n) }))
      const before = await w.wallets.find(id)
      const tooMuch = adjusting(w, id, 'out', 41n)
      expect(await adjustWallet(w, tooMuch)).toBe('insufficient_balance')
      expect(await w.wallets.find(id)).toEqual(before)
      expect(await w.wallets.totals(id)).toEqual(totals({ adjusted: usdt(100n), held: usdt(60n) }))
      expect((await auditEntries(w.audit, { subject: id, limit: 1 }))[0]?.after).toMatchObject({ reason: 'funds' })
      // The refusal wrote nothing, so the same adjustment commits once the balance suffices.
      expect(await adjustWallet(w, adjusting(w, id, 'in', 1n))).toBe('committed')
      expect(await adjustWallet(w, tooMuch)).toBe('committed')
    })

    test('an adjustment of a difference that is not open writes nothing', async () => {
      const id = await w.newWallet(usdt(100n))
      const before = await w.wallets.find(id)
      const booking = { ...adjusting(w, id, 'in', 7n), differenceId: w.ids.next('dif', new Date(0)) }
      expect(await adjustWallet(w, booking)).toBe('difference_not_open')
      expect(await w.wallets.find(id)).toEqual(before)
      expect(await w.wallets.totals(id)).toEqual(totals({ adjusted: usdt(100n) }))
    })

    test('an adjustment needs the approved proposal of exactly this adjustment', async () => {
      const [{ id }, other] = [await w.newTenant(), await w.newTenant()]
      const adjustment = adjusting(w, id, 'in', 100n)
      expect(await w.wallets.adjust(adjustment)).toBe('not_approved')
      const { id: proposalId, tenantId, direction, amount, reason, actor } = adjustment
      const action = { type: 'adjust_wallet', tenantId, direction, amount } as const
      const open = openProposalOf({ id: proposalId, tenantId, reason, actor }, action)
      await w.proposals.insert(open, credentialOf(actor))
      expect(await w.wallets.adjust(adjustment)).toBe('not_approved')
      const approval = { at: someInstant, by: 'eva' }
      await w.proposals.commit({ ...open, status: 'approved', approval }, credentialOf('eva'))
      const others = [
        { amount: usdt(101n) },
        { direction: 'out' as const },
        { tenantId: other.id },
        { actor: 'eva' },
        { reason: 'other' },
      ]
      for (const over of others) expect(await w.wallets.adjust({ ...adjustment, ...over })).toBe('not_approved')
      expect(await w.wallets.find(id)).toMatchObject({ available: usdt(0n) })
      expect(await w.wallets.adjust(adjustment)).toBe('committed')
      expect(await w.proposals.find(proposalId)).toMatchObject({ status: 'executed', approval })
      expect(await w.wallets.adjust(adjustment)).toBe('stale')
    })

    test('the audit entry of an adjustment, and of a refund, is that of the core', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }))
      await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))
      const given = { ...adjusting(w, tenantId, 'in', 1_500_000n), actor: 'ana', reason: 'dépôt ñ' }
      const refund = { ...adjusting(w, tenantId, 'in', 30n), actor: 'ana', payoutId: payout.id }
      for (const adjustment of [given, refund]) {
        expect(await adjustWallet(w, adjustment)).toBe('committed')
        const [row] = await auditEntries(w.audit, { subject: tenantId, limit: 1 })
        expect(row).toEqual(auditAdjustment(adjustment, row?.at ?? someInstant, originOf('ana')))
      }
    })

    test('the totals separate deposits, payouts, adjustments and holds', async () => {
      const id = await w.newWallet(usdt(100n))
      const source = usdt(10n)
      const completed = await w.newPayout(await w.newQuote(id, { source }))
      const failed = await w.newPayout(await w.newQuote(id, { source }))
      await w.newPayout(await w.newQuote(id, { source }))
      await w.payouts.commit(w.settleCommit(completed, paidAnswer(completed)))
      await w.payouts.commit(w.settleCommit(failed, { type: 'refused_payment' }))
      expect(await w.wallets.totals(id)).toEqual(totals({ adjusted: usdt(100n), debited: source, held: source }))
      expect(await w.wallets.find(id)).toMatchObject({ available: usdt(80n), held: source })
    })

    test('the largest amount is adjusted and paid exactly; totals may exceed it', async () => {
      const { id } = await w.newTenant({ pricing: uncapped })
      for (let round = 0; round < 2; round++) {
        expect(await adjustWallet(w, adjusting(w, id, 'in', MAX_MINOR))).toBe('committed')
        const source = usdt(MAX_MINOR)
        const payout = await w.newPayout(await w.newQuote(id, { source }))
        expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))).toBe('committed')
      }
      const both = usdt(2n * MAX_MINOR)
      expect(await w.wallets.totals(id)).toEqual(totals({ adjusted: both, debited: both }))
      expect(await w.wallets.find(id)).toMatchObject({ available: usdt(0n), held: usdt(0n) })
    })

    test('updatedAt is the last movement of money, by the store’s clock', async () => {
      const { id } = await w.newTenant()
      const updatedAt = async () => (await w.wallets.find(id))?.updatedAt.getTime() ?? 0
      await adjustWallet(w, adjusting(w, id, 'in', 100n))
      const quote = await w.newQuote(id, { source: usdt(10n), lifeSeconds: 300 })
      const write = w.acceptCommit(quote)
      const { payout } = write.step
      const moves = [
        () => adjustWallet(w, adjusting(w, id, 'out', 1n)),
        () => w.payouts.commit(write),
        () => w.payouts.commit(w.settleCommit(payout, paidAnswer(payout))),
      ]
      for (const move of moves) {
        const before = await updatedAt()
        await w.advance(60)
        expect(await updatedAt()).toBe(before)
        expect(await move()).toBe('committed')
        expect((await updatedAt()) - before).toBeGreaterThanOrEqual(60_000)
      }
    })

    test('an adjustment does not change another tenant’s wallet', async () => {
      const [one, other] = [await w.newWallet(usdt(5n)), await w.newWallet(usdt(7n))]
      expect(await adjustWallet(w, adjusting(w, one, 'out', 5n))).toBe('committed')
      expect(await w.wallets.find(other)).toMatchObject({ tenantId: other, available: usdt(7n) })
      expect(await w.wallets.totals(other)).toEqual(totals({ adjusted: usdt(7n) }))
    })
  })
}

type Sums = Awaited<ReturnType<World<Needed>['wallets']['totals']>>
const totals = (over: Partial<Sums>): Sums => ({
  credited: usdt(0n),
  debited: usdt(0n),
  adjusted: usdt(0n),
  held: usdt(0n),
  ...over,
})

const adjusting = (
  { ids }: World<Needed>,
  tenantId: string,
  direction: Adjustment['direction'],
  minor: bigint,
): Adjustment => ({
  id: ids.uuid(someInstant),
  tenantId,
  direction,
  amount: usdt(minor),
  reason: 'test',
  actor: 'test',
})
