import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { type Backlog, deliveryPaces, endingTokensMax, sha256 } from '@quipu/core/adapter'
import { type NewReconciliationRun, type OperatorRole, tokenEndsSoonDays } from '@quipu/core/operator'
import { allDue, alertAfterSeconds, openSubscriber, retryIn } from '../../fixtures/webhook/subscriber.ts'
import { closeReviewCommit, depositBuilders } from '../../fixtures/deposit/deposit-builders.ts'
import { addressDifference, foundDifference } from '../../fixtures/difference/found-difference.ts'
import { paidAnswer } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { credentialOf, operatorToken } from '../../fixtures/proposal/operators.ts'
import { laterInstant, someInstant } from '../../fixtures/instants.ts'

type Needed =
  | 'screeningCases'
  | 'payouts'
  | 'quotes'
  | 'wallets'
  | 'proposals'
  | 'tenants'
  | 'addresses'
  | 'scans'
  | 'deposits'
  | 'webhooks'
  | 'deliveries'
  | 'backlog'
  | 'differences'
  | 'reconciliations'
  | 'operatorTokens'

/** The contract of a `BacklogStore`. */
export function backlogStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`backlog in ${name}`, () => {
    const w = useWorld(open, 'each')
    const nothing = { count: 0, oldestSeconds: 0 }
    const dueOf = ({ deliveries }: Backlog) => deliveryPaces.map((pace) => deliveries[pace].count)

    test('an empty database has an empty backlog', async () => {
      expect(await w.backlog.read()).toEqual({
        payouts: nothing,
        deliveries: { fast: nothing, slow: nothing, catching_up: nothing },
        retryingDeliveries: 0,
        pausedEndpoints: 0,
        failingEndpoints: nothing,
        notices: nothing,
        isQuotingPaused: false,
        screeningCases: nothing,
        depositsInReview: { ...nothing, amountMicroUsdt: 0n },
        proposals: nothing,
        alerts: { waiting: nothing, acceptedAt: null, digestDay: null },
        undecidedDeposits: { ...nothing, oldest: null },
        differences: {
          ledger: nothing,
          audit: nothing,
          network: nothing,
          chain: nothing,
          liquidity: nothing,
          report: nothing,
        },
        ledger: { uncheckedSeconds: 0, unrecheckedSeconds: 0, driftMicroUsdt: 0n },
        reconciliations: [],
        endingTokens: [],
        heldLocks: [],
        scans: [],
      })
    })

    test('counts the unsettled payouts of all tenants, aged by the store’s clock', async () => {
      const payouts = []
      const hour = 3_600_000
      for (const skewMs of [0, -hour, hour]) {
        const tenantId = await w.newWallet(usdt(100_000_000n))
        const createdAt = new Date(Date.UTC(2026, 0, 1) + skewMs)
        payouts.push(await w.newPayout(await w.newQuote(tenantId), { createdAt }))
        await w.advance(10)
      }
      expect((await w.backlog.read()).payouts).toEqual({ count: 3, oldestSeconds: 30 })
      await w.advance(60)
      expect((await w.backlog.read()).payouts).toEqual({ count: 3, oldestSeconds: 90 })
      const [oldest] = payouts
      if (oldest) await w.payouts.commit(w.settleCommit(oldest, paidAnswer(oldest)))
      expect((await w.backlog.read()).payouts).toEqual({ count: 2, oldestSeconds: 80 })
    })

    test('counts active endpoints that have failed for long, aged since their first failed attempt', async () => {
      const subscriber = await openSubscriber(w)
      await subscriber.newEndpoint()
      await subscriber.emitEvent()
      const fail = async () => {
        const claimed = await subscriber.claimOne({ leaseSeconds: 60 })
        await subscriber.record(claimed, retryIn(0))
      }
      await fail()
      await w.advance(alertAfterSeconds)
      expect((await w.backlog.read()).failingEndpoints).toEqual(nothing)
      await fail()
      await w.advance(10)
      const failing = { count: 1, oldestSeconds: alertAfterSeconds + 10 }
      expect((await w.backlog.read()).failingEndpoints).toEqual(failing)
      await subscriber.record(await subscriber.claimOne())
      expect((await w.backlog.read()).failingEndpoints).toEqual(nothing)
    })

    test('counts due deliveries, but not leased ones nor those of paused endpoints', async () => {
      const subscriber = await openSubscriber(w)
      const { id } = await subscriber.newEndpoint()
      await subscriber.emitEvents(3)
      const before = (await w.backlog.read()).deliveries.fast
      await w.advance(60)
      const after = (await w.backlog.read()).deliveries.fast
      expect(after).toEqual({ count: 3, oldestSeconds: before.oldestSeconds + 60 })
      const claimed = await subscriber.claimOne()
      expect(dueOf(await w.backlog.read())).toEqual([2, 0, 0])
      await subscriber.record(claimed, { isSlow: true })
      expect(dueOf(await w.backlog.read())).toEqual([0, 2, 0])
      await subscriber.claimDue({ deliveryClass: 'slow' })
      await w.advance(31)
      for (let n = 0; n < 5; n++) {
        await subscriber.emitEvent()
        const one = await subscriber.claimOne({ deliveryClass: 'slow' })
        await subscriber.record(one, { decision: { type: 'exhausted' }, isSlow: true })
      }
      const paused = await w.backlog.read()
      expect([dueOf(paused), paused.pausedEndpoints]).toEqual([[0, 0, 0], 1])
      await subscriber.reactivate(id)
      await w.advance(1)
      const active = await w.backlog.read()
      expect([dueOf(active), active.pausedEndpoints]).toEqual([[0, 0, 7], 0])
    })

    test('counts failed deliveries until their next attempt is due', async () => {
      const subscriber = await openSubscriber(w)
      await subscriber.newEndpoint()
      await subscriber.emitEvents(2)
      for (let n = 0; n < 2; n++) await subscriber.record(await subscriber.claimOne(), retryIn(30_000))
      const waiting = await w.backlog.read()
      expect([dueOf(waiting), waiting.retryingDeliveries]).toEqual([[0, 0, 0], 2])
      await w.advance(31)
      const due = await w.backlog.read()
      expect([due.retryingDeliveries, due.deliveries.fast.count + due.deliveries.slow.count]).toEqual([0, 2])
    })

    test('counts queued deliveries until they are claimed, since their event', async () => {
      const subscriber = await openSubscriber(w)
      await subscriber.newEndpoint()
      await subscriber.emitEvents(2)
      const before = (await w.backlog.read()).deliveries.fast
      await w.advance(60)
      const queued = await w.deliveries.enqueue({ ...allDue, leaseSeconds: 10 })
      const late = { count: 2, oldestSeconds: before.oldestSeconds + 60 }
      expect((await w.backlog.read()).deliveries.fast).toEqual(late)
      await w.advance(11)
      const later = { count: 2, oldestSeconds: late.oldestSeconds + 11 }
      expect((await w.backlog.read()).deliveries.fast).toEqual(later)
      await w.deliveries.requeue(queued)
      expect((await w.backlog.read()).deliveries.fast).toEqual(later)
      await w.deliveries.enqueue({ ...allDue, leaseSeconds: 10 })
      expect((await w.backlog.read()).deliveries.fast).toEqual(later)
      for (const ref of queued) {
        const claimed = await w.deliveries.claim(ref, 30)
        if (claimed) await subscriber.record(claimed)
      }
      expect((await w.backlog.read()).deliveries.fast).toEqual(nothing)
    })

    test('counts a deposit in review until an operator credits or closes it', async () => {
      const { inReview } = await depositBuilders(w)
      const deposits = [await inReview(), await inReview()]
      const sum = deposits.reduce((all, { amount }) => all + amount.minor, 0n)
      expect((await w.backlog.read()).depositsInReview).toMatchObject({ count: 2, amountMicroUsdt: sum })
      const [deposit] = deposits
      if (deposit) await w.deposits.commit(await closeReviewCommit(w, deposit))
      const left = (await w.backlog.read()).depositsInReview
      expect(left).toMatchObject({ count: 1, amountMicroUsdt: deposits[1]?.amount.minor })
      expect(left.oldestSeconds).toBeGreaterThan(0)
    })

    test('counts open cases of screening, aged since they were opened', async () => {
      const hit = {
        kind: 'merchant',
        outcome: 'unanswered',
        subject: '',
        name: 'Ana',
        tenantId: null,
        list: 'p',
      } as const
      const { found } = await w.screeningCases.hit('scr_1', {
        ...hit,
        version: '',
        reason: 'x',
        reference: null,
        hits: 2,
      })
      await w.advance(10)
      const { count, oldestSeconds } = (await w.backlog.read()).screeningCases
      expect([count, Math.round(oldestSeconds)]).toEqual([1, 10])
      await w.screeningCases.answered(found.kind)
      expect((await w.backlog.read()).screeningCases).toEqual(nothing)
    })

    test('counts pending deposits from the solid block on, and has the problem of the oldest', async () => {
      const { pending, due, claimOne, inReview } = await depositBuilders(w)
      await pending()
      await inReview({}, { isAddressVerified: false })
      expect((await w.backlog.read()).undecidedDeposits).toEqual({ ...nothing, oldest: null })
      const [deposit] = await due()
      await w.advance(400)
      await due()
      await w.deposits.yieldClaim((await claimOne()).claim, 900, 'the second provider is late')
      const { undecidedDeposits } = await w.backlog.read()
      expect(undecidedDeposits).toMatchObject({
        count: 2,
        oldest: { depositId: deposit?.id, problem: 'the second provider is late' },
      })
      expect(undecidedDeposits.oldestSeconds).toBeCloseTo(400, 0)
    })

    test('counts the open differences of each check, aged by the store’s clock', async () => {
      const at = new Date(0)
      const found = [foundDifference(w.ids), await addressDifference(w, (await w.newTenant()).id)]
      await w.differences.record(found, at)
      const before = (await w.backlog.read()).differences
      expect([before.network.count, before.chain.count, before.liquidity]).toEqual([1, 1, nothing])
      await w.advance(60)
      const after = (await w.backlog.read()).differences
      expect(after.network.oldestSeconds - before.network.oldestSeconds).toBeCloseTo(60)
      const closure = { by: 'ana', at, reason: 'explained', proposalId: null }
      await w.differences.close(found[0]?.id ?? '', closure, credentialOf('ana'))
      await w.differences.resolveUnseen({ check: 'chain', scope: '' }, new Date(at.getTime() + 1))
      const ended = (await w.backlog.read()).differences
      expect([ended.network, ended.chain]).toEqual([nothing, nothing])
    })

    test('has the age and the counts of the newest completed run of each check', async () => {
      await w.newTenant()
      const { reconciliations } = w
      const at = new Date('2126-01-01T00:00:00.000Z')
      for (const compared of [5, 7]) {
        const id = w.ids.next('rcn', at)
        const asked = { scheduledFor: null, requestedBy: 'ana', createdAt: someInstant, position: 0 }
        const run = { id, check: 'chain', period: null, ...asked } as const
        await reconciliations.open(run, credentialOf('ana'))
        const claimed = await reconciliations.claimDue(['chain'], 60)
        const slice = { position: 1, compared, differences: 0, isLast: true }
        const completedAt = new Date(at.getTime() + compared)
        if (claimed) await reconciliations.advance(claimed.claim, slice, completedAt, `k.${compared}`)
      }
      const [run] = (await reconciliations.list({ limit: 1 })).items
      expect(run).toMatchObject({ compared: 7, mac: 'k.7' })
      expect((await w.backlog.read()).reconciliations).toEqual([
        { check: 'chain', run, completedSeconds: 0, openSeconds: 0, slices: 1, compared: 7, hasSkipped: false },
      ])
      const { createdAt: now } = await w.newQuote((await w.newTenant()).id)
      for (const [age, scheduledFor] of [
        [7_200, null],
        [3_600, '2026-01-01'],
        [600, '2025-12-31'],
      ] as const) {
        const createdAt = new Date(now.getTime() - age * 1_000)
        const open = { id: w.ids.next('rcn', at), check: 'chain', period: null, position: 0, createdAt } as const
        const by = scheduledFor === null ? credentialOf('ana') : undefined
        await reconciliations.open({ ...open, scheduledFor, requestedBy: by ? 'ana' : null }, by)
      }
      const [late] = (await w.backlog.read()).reconciliations
      expect((late?.openSeconds ?? 0) - 3_600).toBeLessThan(600)
      expect(late?.openSeconds).toBeGreaterThanOrEqual(3_600)
    })

    test('a run that compared nothing has skipped what there was to compare', async () => {
      const { reconciliations } = w
      const { due } = await depositBuilders(w)
      const [deposit] = await due()
      const tenantId = await w.newWallet(usdt(100_000_000n))
      const payout = await w.newPayout(await w.newQuote(tenantId))
      await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))
      const [paid] = await reconciliations.findPayments([payout.id])
      expect(deposit).toBeDefined()
      const [begun, ended] = [paid?.createdAt, paid?.endedAt]
      if (!begun || !ended) throw new Error('the payout has not ended')
      let runs = 0
      const completedAfter = async (
        of: Pick<NewReconciliationRun, 'check' | 'period' | 'createdAt'>,
        found: { readonly compared: number; readonly differences: number },
      ) => {
        const at = new Date(laterInstant.getTime() + ++runs * 1_000)
        const position = of.period?.from.getTime() ?? 0
        const scheduledFor = `2026-01-0${runs}`
        const run = { ...of, id: w.ids.next('rcn', at), position, scheduledFor }
        await reconciliations.open({ ...run, requestedBy: null })
        const claimed = await reconciliations.claimDue([of.check], 60)
        const slice = { ...found, position: of.period?.to.getTime() ?? 1, isLast: true }
        if (claimed) await reconciliations.advance(claimed.claim, slice, at)
        const read = (await w.backlog.read()).reconciliations
        return read.find(({ check }) => check === of.check)?.hasSkipped
      }
      const nothingFound = { compared: 0, differences: 0 }
      const around = (minutes: number) => ({
        from: new Date(begun.getTime() - minutes * 60_000),
        to: new Date(ended.getTime() + minutes * 60_000),
      })
      const network = { check: 'network', period: around(6), createdAt: someInstant } as const
      expect(await completedAfter(network, nothingFound)).toBe(true)
      expect(await completedAfter(network, { compared: 1, differences: 0 })).toBe(false)
      expect(await completedAfter(network, { compared: 0, differences: 1 })).toBe(false)
      expect(await completedAfter({ ...network, period: around(4) }, nothingFound)).toBe(false)
      const chain = { check: 'chain', period: null } as const
      expect(await completedAfter({ ...chain, createdAt: someInstant }, nothingFound)).toBe(false)
      expect(await completedAfter({ ...chain, createdAt: laterInstant }, nothingFound)).toBe(true)
    })

    test('has the tokens of operators that end soon, but for those with a successor', async () => {
      const { createdAt: now } = await w.newQuote((await w.newTenant()).id)
      const inDays = (days: number): Date => new Date(now.getTime() + days * 86_400_000)
      const issue = async (person: string, role: OperatorRole, days: number) => {
        const hash = sha256(`${person} ${days}`)
        const { token } = operatorToken(person, role, hash)
        const made = { ...token, id: w.ids.next('opt', now), createdAt: now, activatedAt: now, expiresAt: inDays(days) }
        expect(await w.operatorTokens.issue({ token: made, hash }, credentialOf('ada'))).toBe('committed')
        return made.id
      }
      const [soon, sooner] = [await issue('gus', 'viewer', tokenEndsSoonDays - 1), await issue('hal', 'auditor', 12)]
      await issue('ida', 'viewer', 15)
      // Replaced by a later one of the same role, and not by one of another role.
      await issue('joe', 'viewer', 13)
      await issue('joe', 'viewer', 15)
      const other = await issue('kai', 'viewer', 13.5)
      await issue('kai', 'auditor', 15)
      const revoked = await issue('lou', 'viewer', 13)
      expect(await w.operatorTokens.revoke(revoked, credentialOf('ada'), inDays(0))).toBe('committed')
      const ending = async () => (await w.backlog.read()).endingTokens
      expect((await ending()).map(({ id }) => id)).toEqual([sooner, soon, other])
      expect((await ending())[0]).toEqual({ id: sooner, person: 'hal', role: 'auditor', expiresAt: inDays(12) })
      const all = Array.from({ length: endingTokensMax }, (_, n) => issue(`m${n}`, 'viewer', 1))
      await Promise.all(all)
      expect(await ending()).toHaveLength(endingTokensMax)
    })

    test('a scan is behind by the age of its last block; a scan without a block is not listed', async () => {
      const { head } = await depositBuilders(w)
      expect((await w.backlog.read()).scans).toEqual([])
      await head.scan()
      await w.advance(30 * 86_400) // Past the block’s time.
      const [before] = (await w.backlog.read()).scans
      await w.advance(60)
      const behindSeconds = (before?.behindSeconds ?? 0) + 60
      expect((await w.backlog.read()).scans).toEqual([{ chain: 'tron', view: 'head', behindSeconds }])
    })
  })
}
