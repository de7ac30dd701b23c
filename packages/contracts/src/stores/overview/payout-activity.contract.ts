import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { paidAnswer } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'

type Needed = 'overview' | 'payouts' | 'quotes' | 'wallets' | 'proposals' | 'tenants'

const minutesAfter = (count: number): Date => new Date(someInstant.getTime() + count * 60_000)

export function payoutActivityTests(open: OpenHarness<Needed>): void {
  describe('payout activity', () => {
    const w = useWorld(open, 'each')

    test('counts the ended payouts of all tenants by outcome and step of their creation', async () => {
      const tenants = [await w.newWallet(usdt(100n)), await w.newWallet(usdt(100n))]
      const settle = async (minute: number, how: 'paid' | 'refused_payment', tenant = 0) => {
        const quote = await w.newQuote(tenants[tenant] ?? '', { source: usdt(1n) })
        const payout = await w.newPayout(quote, { createdAt: minutesAfter(minute) })
        const answer = how === 'paid' ? paidAnswer(payout) : ({ type: how } as const)
        await w.payouts.commit(w.settleCommit(payout, answer))
      }
      await settle(1, 'paid')
      await settle(2, 'refused_payment', 1)
      await settle(9, 'paid', 1)
      await settle(61, 'paid')
      await w.newPayout(await w.newQuote(tenants[0] ?? '', { source: usdt(1n) }))
      const none = { completed: 0, failed: 0, rejected: 0, cancelled: 0 }
      const read = async (from: Date, stepSeconds: number) => {
        const { steps, completeFrom } = await w.overview.activity({ from, stepSeconds })
        expect(completeFrom).toEqual(from)
        for (const { medianMs, p95Ms } of steps) expect(p95Ms).toBeGreaterThanOrEqual(medianMs)
        return steps.map(({ at, outcomes }) => ({ at, outcomes }))
      }
      const hour = 3_600
      const startOf = (minute: number): Date => {
        const ms = minutesAfter(minute).getTime()
        return new Date(ms - (ms % (hour * 1000)))
      }
      const all = await read(minutesAfter(0), hour)
      const total = (outcome: keyof typeof none) => all.reduce((sum, { outcomes }) => sum + outcomes[outcome], 0)
      expect([total('completed'), total('failed'), total('rejected')]).toEqual([3, 1, 0])
      expect(all.map(({ at }) => at)).toEqual(
        [...new Set([1, 2, 9, 61].map((minute) => startOf(minute).getTime()))].map((ms) => new Date(ms)),
      )
      expect(await read(minutesAfter(60), hour)).toEqual([{ at: startOf(61), outcomes: { ...none, completed: 1 } }])
      expect(await read(minutesAfter(62), hour)).toEqual([])
    })
  })
}
