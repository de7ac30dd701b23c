import { usdt } from '@quipu/core'
import { plannedLookSeconds } from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'
import { depositBuilders } from '../fixtures/deposit/deposit-builders.ts'
import { newSend } from '../fixtures/faucet/sends.ts'
import { type OpenHarness, useWorld, type World } from '../fixtures/harness.ts'
import { newKey } from '../fixtures/new-key.ts'
import { credentialOf } from '../fixtures/proposal/operators.ts'
import { newSweepPlan } from '../fixtures/sweep/sweeps.ts'
import { allDue, openSubscriber, retryIn } from '../fixtures/webhook/subscriber.ts'
import { requestedRun } from './reconciliation/reconciliation-store.contract.ts'

type Needed =
  | 'payouts'
  | 'quotes'
  | 'wallets'
  | 'proposals'
  | 'tenants'
  | 'addresses'
  | 'scans'
  | 'deposits'
  | 'faucet'
  | 'sweeps'
  | 'reconciliations'
  | 'webhooks'
  | 'deliveries'
  | 'apiKeys'
  | 'notices'
type Worlds = World<Needed>

type Claimed = {
  readonly id: string
  readonly fencingToken: number
  readonly claimCount?: number
  yieldClaim(dueInSeconds: number): Promise<boolean>
}

/** The work that workers claim: how to make some that are due, and how to claim them. */
type Claimable = {
  make(w: Worlds, count: number): Promise<unknown>
  claim(w: Worlds, limit: number): Promise<readonly Claimed[]>
  /** One is claimed at a time: the others wait until it has ended. */
  readonly inTurn?: true
}

/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds = 100

const claimables: Readonly<Record<string, Claimable>> = {
  payouts: {
    async make(w, count) {
      const tenantId = await w.newWallet(usdt(100n))
      for (let n = 0; n < count; n++) {
        const quote = await w.newQuote(tenantId, { source: usdt(1n) })
        await w.newPayout(quote, { leaseSeconds: 1 })
      }
      await w.advance(10)
    },
    claim: async ({ payouts }, limit) =>
      (await payouts.claimDue(limit, leaseSeconds)).map(({ claim, claimCount }) => ({
        id: claim.payoutId,
        fencingToken: claim.fencingToken,
        claimCount,
        yieldClaim: (dueInSeconds) => payouts.yieldClaim(claim, { dueInSeconds, raised: {}, calls: [] }),
      })),
  },
  deposits: {
    async make(w, count) {
      const { due } = await depositBuilders(w)
      await due(...Array.from({ length: count }, () => ({})))
    },
    claim: async ({ deposits }, limit) =>
      (await deposits.claimDue(limit, leaseSeconds)).map(({ claim, claimCount }) => ({
        id: claim.depositId,
        fencingToken: claim.fencingToken,
        claimCount,
        yieldClaim: (dueInSeconds) => deposits.yieldClaim(claim, dueInSeconds, 'no answer'),
      })),
  },
  'faucet sends': {
    async make(w, count) {
      const { id } = await w.newTenant()
      for (let n = 0; n < count; n++) await newSend(w, id, { leaseSeconds: 1 })
      await w.advance(10)
    },
    claim: async ({ faucet }, limit) =>
      (await faucet.claimDue(limit, leaseSeconds)).map(({ claim, claimCount }) => ({
        id: claim.sendId,
        fencingToken: claim.fencingToken,
        claimCount,
        yieldClaim: (dueInSeconds) => faucet.yieldClaim(claim, dueInSeconds),
      })),
  },
  sweeps: {
    async make(w, count) {
      await newSweepPlan(w, count)
      await w.advance(plannedLookSeconds + 1)
    },
    claim: async ({ sweeps }, limit) =>
      (await sweeps.claimDue(limit, leaseSeconds)).map(({ claim, claimCount }) => ({
        id: claim.transferId,
        fencingToken: claim.fencingToken,
        claimCount,
        yieldClaim: (dueInSeconds) => sweeps.yieldClaim(claim, dueInSeconds, { sentAt: null, problem: null }),
      })),
  },
  'reconciliation runs': {
    async make(w, count) {
      for (let n = 0; n < count; n++) await w.reconciliations.open(requestedRun(w), credentialOf('ana'))
    },
    async claim({ reconciliations }, limit) {
      const found: Claimed[] = []
      while (found.length < limit) {
        const next = await reconciliations.claimDue(['network'], leaseSeconds)
        if (next === undefined) break
        const { claim } = next
        found.push({ ...claim, yieldClaim: (dueInSeconds) => reconciliations.yieldClaim(claim, 'why', dueInSeconds) })
      }
      return found
    },
  },
  deliveries: {
    async make(w, count) {
      const { newEndpoint, emitEvents } = await openSubscriber(w)
      await newEndpoint()
      await emitEvents(count)
    },
    claim: async ({ deliveries }, limit) =>
      (await deliveries.claimDue({ ...allDue, limit, leaseSeconds })).map(({ claim }) => ({
        id: claim.eventId,
        fencingToken: claim.fencingToken,
        async yieldClaim(dueInSeconds) {
          const settings = { isSlow: false, pauseAfter: 5, alertAfterSeconds: 900 }
          const recorded = await deliveries.record({ claim, ...retryIn(dueInSeconds * 1_000), ...settings })
          return recorded.type === 'recorded'
        },
      })),
  },
  notices: {
    async make(w, count) {
      const { id } = await w.newTenant()
      for (let n = 0; n < count; n++) await w.apiKeys.issue(newKey(w, id), credentialOf('ada'))
    },
    async claim({ notices }) {
      const next = await notices.claim(leaseSeconds)
      if (next === undefined) return []
      const { claim, source } = next
      const yieldClaim = async (dueInSeconds: number) =>
        (await notices.retry(claim, dueInSeconds * 1_000)) === 'committed'
      return [{ id: String(source.entry?.id), fencingToken: claim.fencingToken, yieldClaim }]
    },
    inTurn: true,
  },
}

const idsOf = (claims: readonly Claimed[]) => claims.map(({ id }) => id).toSorted()

/** One rule for everything that workers claim. */
export function claimsContract(name: string, open: OpenHarness<Needed>): void {
  describe.each(Object.entries(claimables))(`claims of %s in ${name}`, (_, { make, claim, inTurn }) => {
    const w = useWorld(open, 'each')

    test('are at most the limit, each of another one, and leased', async () => {
      await make(w, 3)
      const [two, one] = [await claim(w, 2), await claim(w, 2)]
      expect([two.length, one.length]).toEqual(inTurn ? [1, 0] : [2, 1])
      expect(new Set(idsOf([...two, ...one])).size).toBe(inTurn ? 1 : 3)
      expect(await claim(w, 10)).toEqual([])
    })

    test('are due again when the lease has ended, each time with a higher fencing token', async () => {
      await make(w, 2)
      let older = await claim(w, 10)
      for (const claimCount of [2, 3]) {
        await w.advance(leaseSeconds - 10)
        expect(await claim(w, 10)).toEqual([])
        await w.advance(11)
        const newer = await claim(w, 10)
        expect(idsOf(newer)).toEqual(idsOf(older))
        for (const each of newer) {
          const { fencingToken } = older.find(({ id }) => id === each.id) ?? expect.fail()
          expect(each.fencingToken).toBeGreaterThan(fencingToken)
          expect(each.claimCount ?? claimCount).toBe(claimCount)
        }
        // The older claim changes nothing.
        for (const each of older) expect(await each.yieldClaim(0)).toBe(false)
        expect(await claim(w, 10)).toEqual([])
        older = newer
      }
    })

    test('that are yielded are due at their time, and not before', async () => {
      await make(w, 2)
      const claims = await claim(w, 10)
      expect(claims).toHaveLength(inTurn ? 1 : 2)
      const [soon, later] = [claims[0], claims[1]]
      expect(await soon?.yieldClaim(20)).toBe(true)
      if (later) expect(await later.yieldClaim(1_000)).toBe(true)
      expect(await claim(w, 10)).toEqual([])
      await w.advance(30)
      const again = await claim(w, 10)
      expect(again).toMatchObject([{ id: soon?.id, ...(soon?.claimCount && { claimCount: soon.claimCount + 1 }) }])
      await w.advance(980)
      expect(idsOf(await claim(w, 10))).toEqual(idsOf(claims))
    })

    test('of twelve callers at once are each of another one, and none is left out', async () => {
      await make(w, 6)
      const claims = await Promise.all(Array.from({ length: 12 }, () => claim(w, 4)))
      for (const each of claims) expect(each.length).toBeLessThanOrEqual(4)
      // A caller that meets a locked row may claim fewer; the next claim gets the rest.
      const ids = idsOf([...claims.flat(), ...(await claim(w, 10))])
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).toHaveLength(inTurn ? 1 : 6)
    })
  })
}
