import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { ownerClaim, type ProcessingPayout } from '@quipu/core/adapter'
import type { NetworkCall, PayoutRef } from '@quipu/core/operator'
import { someInstant } from '../../fixtures/instants.ts'
import { credentialOf } from '../../fixtures/proposal/operators.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed =
  | 'payoutDecisions'
  | 'payouts'
  | 'networkCalls'
  | 'networks'
  | 'quotes'
  | 'wallets'
  | 'proposals'
  | 'tenants'

/** The contract of a `NetworkCallStore`. */
export function networkCallStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`network call store in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('stores every kind of call as it is, newest first, in pages', async () => {
      const payout = await processing(w)
      const calls = [
        call(w, 0, { kind: 'pay', queriedBy: 'request', answer: 'unknown', detail: 'señal 💸' }),
        call(w, 1, { queriedBy: 'worker', answer: 'not_seen' }),
        call(w, 2, { kind: 'cancel', queriedBy: 'operator', actor: 'ana', answer: 'cancelled' }),
      ]
      const queried = { ...refOf(payout), question: 'cancel', at: someInstant } as const
      await w.advance(1_000)
      await w.payoutDecisions.claim(queried, credentialOf('ana'), 60)
      await w.networkCalls.record(refOf(payout), calls.slice(0, 2))
      await w.networkCalls.record(refOf(payout), calls.slice(2))
      const newestFirst = calls.toReversed()
      const all = await w.networkCalls.list(refOf(payout), { limit: 10 })
      expect(all).toEqual({ items: newestFirst, next: null })
      const first = await w.networkCalls.list(refOf(payout), { limit: 2 })
      expect(first.items).toEqual(newestFirst.slice(0, 2))
      const rest = { limit: 2, ...(first.next && { after: first.next }) }
      expect(await w.networkCalls.list(refOf(payout), rest)).toEqual({ items: newestFirst.slice(2), next: null })
    })

    test('a call that is recorded again stays one', async () => {
      const payout = await processing(w)
      const [first, second] = [call(w, 0), call(w, 1)]
      await w.networkCalls.record(refOf(payout), [first])
      await w.networkCalls.record(refOf(payout), [first, second])
      expect(await stored(w, payout)).toEqual([second, first])
    })

    test('yieldClaim stores the calls, also when its claim is not the newest', async () => {
      const payout = await processing(w)
      const claim = ownerClaim(payout)
      const given = { dueInSeconds: 0, raised: {} }
      const [first, second] = [call(w, 0), call(w, 1)]
      expect(await w.payouts.yieldClaim(claim, { ...given, calls: [first] })).toBe(true)
      const [claimed] = await w.payouts.claimDue(1, 15)
      expect(claimed?.payout.id).toBe(payout.id)
      expect(await w.payouts.yieldClaim(claim, { ...given, calls: [second] })).toBe(false)
      expect(await stored(w, payout)).toEqual([second, first])
    })

    test('records nothing about a payout that is unknown, another tenant’s, or was never accepted', async () => {
      const payout = await processing(w)
      const { tenantId } = await processing(w)
      const insert = w.insertEndedCommit(await w.newQuote(tenantId))
      await w.payouts.commit(insert)
      const wrong = [
        { tenantId, payoutId: 'po_00000000000000000000000000' },
        { tenantId, payoutId: payout.id },
        { tenantId, payoutId: insert.step.payout.id },
      ]
      for (const ref of wrong) {
        await expect(w.networkCalls.record(ref, [call(w, 0)])).rejects.toThrow('no payout')
        await w.networkCalls.record(ref, [])
        expect(await w.networkCalls.list(ref, { limit: 10 })).toEqual({ items: [], next: null })
      }
    })
  })
}

async function processing(w: World<Needed>): Promise<ProcessingPayout> {
  const tenantId = await w.newWallet(usdt(100n))
  return w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }))
}

const refOf = ({ tenantId, id }: ProcessingPayout): PayoutRef => ({ tenantId, payoutId: id })

const stored = async (w: World<Needed>, payout: ProcessingPayout) =>
  (await w.networkCalls.list(refOf(payout), { limit: 10 })).items

function call({ ids }: World<Needed>, seconds: number, over: Partial<NetworkCall> = {}): NetworkCall {
  const createdAt = new Date(someInstant.getTime() + seconds * 1_000)
  const id = ids.next('nwc', createdAt)
  const author = { queriedBy: 'worker', actor: null } as const
  const queried = { kind: 'status', answer: 'pending', detail: null, durationMs: 7 } as const
  return { id, createdAt, ...queried, ...author, ...over } as NetworkCall
}
