import { type Usdt, usdt } from '@quipu/core'
import { recordBalanceCrossings, setLowBalanceThreshold } from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'
import { paidAnswer } from '../../fixtures/builders.ts'
import { encodeForTest } from '../../fixtures/encode-for-test.ts'
import { eventsAbout, plainEvent } from '../../fixtures/events-about.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { adjustWallet } from '../../fixtures/proposal/approve-action.ts'

type Needed = 'wallets' | 'tenants' | 'proposals' | 'events' | 'payouts' | 'quotes'

/** The contract of a `WalletStore`'s thresholds of balances. */
export function balanceThresholdContract(name: string, open: OpenHarness<Needed>): void {
  describe(`balance thresholds in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('a balance that falls below the threshold has one event, and one when it is back', async () => {
      const { tenantId, move, check, types, wallet } = await funded(w, 100n)
      expect(await wallet()).toMatchObject({ lowBalanceThreshold: null })
      await setThreshold(w, tenantId, usdt(60n))
      expect(await wallet()).toMatchObject({ lowBalanceThreshold: usdt(60n) })
      await move('out', 40n)
      expect(await check()).toBe(0) // The threshold itself is enough.
      await move('out', 1n)
      expect([await check(), await check()]).toEqual([1, 0])
      await move('out', 30n)
      expect(await check()).toBe(0)
      await move('in', 31n)
      expect([await check(), await check()]).toEqual([1, 0])
      await move('out', 2n)
      expect(await check()).toBe(1)
      expect(await types()).toEqual(['wallet.balance_low', 'wallet.balance_restored', 'wallet.balance_low'])
    })

    test('a balance that crossed and came back between two checks has no event', async () => {
      const { tenantId, move, check, types } = await funded(w, 100n)
      await setThreshold(w, tenantId, usdt(60n))
      await move('out', 50n)
      await move('in', 50n)
      expect(await check()).toBe(0)
      expect(await types()).toEqual([])
    })

    test('a hold counts against the available balance, and its event has the balance of that moment', async () => {
      const { tenantId, check, events, wallet } = await funded(w, 100n)
      await setThreshold(w, tenantId, usdt(60n))
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(70n) }))
      expect(await check()).toBe(1)
      const [event] = await events()
      if (!event) throw new Error('no event')
      const now = event.recordedAt
      expect(event).toMatchObject({ tenantId, subjectId: (await wallet()).id, type: 'wallet.balance_low' })
      expect(event.occurredAt).toEqual(now)
      const envelope = { id: event.id, tenantId, type: 'wallet.balance_low', occurredAt: now, recordedAt: now } as const
      expect(plainEvent(event).body).toEqual([...encodeForTest({ ...envelope, data: await wallet() })])
      expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))).toBe('committed')
      expect(await check()).toBe(0)
    })

    test('a change of the threshold has its event at once; without a threshold no balance is low', async () => {
      const { tenantId, check, types, wallet } = await funded(w, 100n)
      await setThreshold(w, tenantId, usdt(101n))
      expect(await types()).toEqual(['wallet.balance_low'])
      await setThreshold(w, tenantId, usdt(102n))
      expect(await types()).toHaveLength(1)
      await setThreshold(w, tenantId, usdt(100n))
      await setThreshold(w, tenantId, usdt(1_000n))
      await setThreshold(w, tenantId, null)
      expect(await wallet()).toMatchObject({ lowBalanceThreshold: null })
      expect(await check()).toBe(0)
      const [low, restored] = ['wallet.balance_low', 'wallet.balance_restored']
      expect(await types()).toEqual([low, restored, low, restored])
    })

    test('concurrent checks store one event for each of many wallets', async () => {
      const wallets = await Promise.all(Array.from({ length: 4 }, () => funded(w, 100n)))
      for (const { tenantId, move } of wallets) {
        await setThreshold(w, tenantId, usdt(100n))
        await move('out', 1n)
      }
      const other = await funded(w, 5n)
      const counts = await Promise.all(wallets.map(({ check }) => check()))
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(wallets.length)
      for (const { types } of wallets) expect(await types()).toEqual(['wallet.balance_low'])
      expect(await other.types()).toEqual([])
    })

    test('one call records at most as many crossings as it is given', async () => {
      for (let i = 0; i < 3; i++) {
        const { tenantId, move } = await funded(w, 10n)
        await setThreshold(w, tenantId, usdt(10n))
        await move('out', 1n)
      }
      const eventOf = () => {
        throw new Error('called')
      }
      expect(await w.wallets.recordCrossings(0, eventOf)).toBe(0)
      expect(await recordBalanceCrossings(portsOf(w))).toBe(3)
    })
  })
}

const portsOf = ({ wallets, ids }: World<Needed>) => ({
  wallets,
  ids,
  encodeEvent: encodeForTest,
  now: () => someInstant,
})

/** Events of one instant have no order that all stores share. */
async function setThreshold(w: World<Needed>, tenantId: string, threshold: Usdt | null): Promise<void> {
  await w.advance(1)
  await setLowBalanceThreshold(portsOf(w))(tenantId, threshold)
}

/** A tenant with this balance, and what moves and shows it. */
async function funded(w: World<Needed>, minor: bigint) {
  const tenantId = await w.newWallet(usdt(minor))
  const wallet = async () => {
    const found = await w.wallets.find(tenantId)
    if (!found) throw new Error('no wallet')
    return found
  }
  const events = async () => eventsAbout(w, tenantId, (await wallet()).id)
  return {
    tenantId,
    wallet,
    events,
    types: async () => (await events()).map(({ type }) => type),
    check: () => recordBalanceCrossings(portsOf(w)),
    move: async (direction: 'in' | 'out', amount: bigint) => {
      await w.advance(1)
      const id = w.ids.uuid(someInstant)
      const adjustment = { id, tenantId, direction, amount: usdt(amount), reason: 'test', actor: 'test' }
      expect(await adjustWallet(w, adjustment)).toBe('committed')
    },
  }
}
