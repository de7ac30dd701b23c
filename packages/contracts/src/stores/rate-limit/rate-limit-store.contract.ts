import type { RateUse } from '@quipu/core/operator'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'

const use = (over: Partial<RateUse> = {}): RateUse => ({
  key: 'writes:ten_1',
  count: 1,
  ageMs: 0,
  perSecond: 10,
  ...over,
})

/** The contract of a `RateLimitStore`. */
export function rateLimitStoreContract(name: string, open: OpenHarness<'rateLimits'>): void {
  describe(`rate limit store in ${name}`, () => {
    const w = useWorld(open, 'each')
    const recorded = async (over: Partial<RateUse> = {}): Promise<number> => {
      const [used = Number.NaN] = await w.rateLimits.record([use(over)])
      return used
    }

    test('requests of all processes add up, and stop counting at the rate of the limit', async () => {
      const { advance } = w
      expect(await recorded({ count: 4 })).toBeCloseTo(4)
      expect(await recorded({ count: 5 })).toBeCloseTo(9)
      await advance(0.5)
      expect(await recorded()).toBeCloseTo(5)
      await advance(10)
      expect(await recorded({ count: 3 })).toBeCloseTo(3)
    })

    test('each key has an allowance of its own, and the answers come in the order of the uses', async () => {
      const { rateLimits } = w
      const keys = ['writes:b', 'keys:192.0.2.1', 'reads:a', 'writes:a']
      const uses = keys.map((key, at) => use({ key, count: at + 1, perSecond: 20 }))
      expect((await rateLimits.record(uses)).map(Math.round)).toEqual([1, 2, 3, 4])
      expect((await rateLimits.record(uses.toReversed())).map(Math.round)).toEqual([8, 6, 4, 2])
      expect(await rateLimits.record([])).toEqual([])
    })

    test('requests of some time ago count only as far as the rate has not made up for them', async () => {
      expect(await recorded({ count: 4, ageMs: 100 })).toBeCloseTo(3)
      expect(await recorded({ key: 'reads:a', count: 4, ageMs: 900 })).toBe(0)
    })

    test('at most twice the limit counts, so that nobody is refused for long', async () => {
      const { advance } = w
      expect(await recorded({ count: 1_000 })).toBeCloseTo(20)
      expect(await recorded({ count: 1_000 })).toBeCloseTo(20)
      await advance(2)
      expect(await recorded()).toBeCloseTo(1)
    })

    test('keys are forgotten once their allowance has been whole for a minute', async () => {
      const { rateLimits, advance } = w
      await recorded({ key: 'writes:first' })
      await advance(50)
      await recorded({ key: 'writes:second' })
      expect(await rateLimits.forget()).toBe(0)
      await advance(20)
      expect(await rateLimits.forget()).toBe(1)
      expect(await rateLimits.forget()).toBe(0)
    })

    test('concurrent records of many keys, in any order, are all counted', async () => {
      const { rateLimits } = w
      const keys = Array.from({ length: 20 }, (_, at) => `writes:${at}`)
      const orders = fc.sample(fc.shuffledSubarray(keys, { minLength: 20 }), 12)
      // Slow enough that nothing is made up for while the test runs.
      const usesOf = (order: readonly string[]) =>
        order.map((key) => use({ key, count: 100_000, perSecond: 1_000_000 }))
      await Promise.all(orders.map((order) => rateLimits.record(usesOf(order))))
      const used = await rateLimits.record(usesOf(keys))
      expect(used).toHaveLength(20)
      for (const count of used) expect(count).toBeCloseTo(1_300_000, -5)
    })
  })
}
