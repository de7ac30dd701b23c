import { describe, expect, test } from 'vitest'
import { type PageQuery, usdt } from '@quipu/core'
import { plannedLookSeconds } from '@quipu/core/operator'
import { laterInstant, someInstant } from '../../fixtures/instants.ts'
import { accountOf } from '../../fixtures/deposit/addresses.ts'
import {
  buildersOfAnotherTenant,
  depositBuilders,
  returnDepositCommit,
} from '../../fixtures/deposit/deposit-builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { firstOf, newSweepAddress, newSweepPlan, sweepPlan } from '../../fixtures/sweep/sweeps.ts'
import { credentialOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'sweeps' | 'tenants' | 'addresses' | 'scans' | 'deposits' | 'proposals'

const ada = credentialOf('ada')

export function listSweepTests(open: OpenHarness<Needed>): void {
  describe('lists of sweeps', () => {
    const w = useWorld(open, 'each')
    const amountsOf = async ({ sweeps }: World<Needed>) => {
      const { items } = await sweeps.addresses('tron', { limit: 10 })
      return new Map(
        items.map(({ address, received, swept, liveTransferId }) => [
          address,
          [received.minor, swept.minor, liveTransferId],
        ]),
      )
    }

    test('an address has received what solid blocks confirmed, in review or not', async () => {
      const one = await depositBuilders(w)
      const other = await buildersOfAnotherTenant(w, one)
      await one.credited({ value: 7_000_000n })
      await one.inReview({ value: 2_000_000n })
      await one.due({ value: 1n })
      await one.pending({ value: 500n })
      await other.gone({ value: 900n })
      expect(await amountsOf(w)).toEqual(
        new Map([
          [one.topUp.address, [9_000_001n, 0n, null]],
          [other.topUp.address, [0n, 0n, null]],
        ]),
      )
    })

    test('an address shows an open review, and what was sent back has left it', async () => {
      const { inReview, topUp } = await depositBuilders(w)
      const listed = async () => (await w.sweeps.addresses('tron', { limit: 10 })).items
      const deposit = await inReview({ value: 2_000_000n })
      expect(await listed()).toMatchObject([{ hasOpenReview: true, swept: usdt(0n) }])
      expect(await w.sweeps.sweptOf('tron', [topUp.account])).toEqual(new Map())
      const returned = { toAddress: 'Ttheirs', txHash: '5e'.repeat(32) }
      await w.deposits.commit(await returnDepositCommit(w, deposit, returned))
      expect(await listed()).toMatchObject([{ hasOpenReview: false, swept: usdt(2_000_000n) }])
      expect(await w.sweeps.sweptOf('tron', [topUp.account])).toEqual(
        new Map([[topUp.account, { solid: usdt(2_000_000n), live: usdt(0n) }]]),
      )
    })

    test('an address has swept what is solid; its live transfer is named', async () => {
      const address = await newSweepAddress(w)
      const ends = ['solid', 'expired', 'failed', 'solid'] as const
      for (const [n, end] of ends.entries()) {
        const plan = sweepPlan(w, [address], new Date(someInstant.getTime() + n))
        await w.sweeps.insert(plan, ada)
        const { id } = firstOf(plan)
        expect(await amountsOf(w)).toMatchObject(new Map([[address.address, [0n, expect.any(BigInt), id]]]))
        await w.advance(plannedLookSeconds + 1)
        for (const { claim } of await w.sweeps.claimDue(10, 100)) await w.sweeps.settle(claim, end, laterInstant)
      }
      expect(await amountsOf(w)).toEqual(new Map([[address.address, [0n, 50_000_000n, null]]]))
    })

    test('sweptOf sums what is solid and what is live, and leaves out the others', async () => {
      const [one, other] = [await newSweepAddress(w), await newSweepAddress(w)]
      await w.sweeps.insert(sweepPlan(w, [one]), ada)
      await w.advance(plannedLookSeconds + 1)
      for (const { claim } of await w.sweeps.claimDue(10, 100)) await w.sweeps.settle(claim, 'solid', laterInstant)
      await w.sweeps.insert(sweepPlan(w, [one, other], new Date(someInstant.getTime() + 1)), ada)
      const accounts = [one.account, other.account, accountOf('nobody'), one.account]
      const [moved, none] = [usdt(25_000_000n), usdt(0n)]
      expect(await w.sweeps.sweptOf('tron', accounts)).toEqual(
        new Map([
          [one.account, { solid: moved, live: moved }],
          [other.account, { solid: none, live: moved }],
        ]),
      )
      expect(await w.sweeps.sweptOf('tron', [])).toEqual(new Map())
    })

    test('addresses and batches are listed newest first, in pages', async () => {
      const plans = [await newSweepPlan(w), await newSweepPlan(w, 2), await newSweepPlan(w)]
      const wanted = plans.flatMap(({ transfers }) => transfers.map(({ address }) => address))
      const addresses = await inPages((query) => w.sweeps.addresses('tron', query))
      expect(addresses.map(({ address }) => address)).toEqual(wanted.toSorted().toReversed())
      const batches = await inPages((query) => w.sweeps.list(query))
      const none = { planned: 0, signed: 0, solid: 0, failed: 0, expired: 0 }
      expect(batches).toEqual(
        plans.toReversed().map(({ batch, transfers }) => ({ batch, counts: { ...none, planned: transfers.length } })),
      )
    })
  })
}

/** All items, read in pages of one. */
async function inPages<T>(
  read: (query: PageQuery) => Promise<{ items: readonly T[]; next: PageQuery['after'] | null }>,
): Promise<T[]> {
  const items: T[] = []
  for (let after: PageQuery['after']; ;) {
    const page = await read({ limit: 1, ...(after && { after }) })
    items.push(...page.items)
    if (!page.next) return items
    after = page.next
  }
}
