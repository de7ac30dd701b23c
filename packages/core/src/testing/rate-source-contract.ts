import { describe, expect, test } from 'vitest'
import type { RateSource } from '../quote/ports.ts'
import { Unavailable } from '../unavailable.ts'
import { type Opened, useOpened } from './opened.ts'

/** A source with a rate at hand. */
export type RateSourceHarness = Opened & {
  readonly source: RateSource
  /** Takes the rate away, as when the world behind the source falls silent. Absent if it cannot. */
  fail?(): Promise<void>
}

/** What every `RateSource` must do, as tests. */
export function rateSourceContract(name: string, open: () => Promise<RateSourceHarness>): void {
  describe(`rate source ${name}`, () => {
    const harness = useOpened(open, 'each')

    test('reads a rate above zero, where it comes from, and when it was observed', async () => {
      const { bid, source, observedAt } = await harness().source.current()
      expect(bid).toBeTypeOf('bigint')
      expect(bid > 0n).toBe(true)
      expect(source).toMatch(/^\S+$/)
      expect(Number.isInteger(observedAt.getTime())).toBe(true)
    })

    test('many readings at once agree', async () => {
      const { source } = harness()
      const readings = await Promise.all(Array.from({ length: 10 }, () => source.current()))
      expect(new Set(readings.map(({ bid }) => bid)).size).toBe(1)
    })

    test('is unavailable without a fresh rate: there is no fallback', async ({ skip }) => {
      const { source, fail } = harness()
      if (fail === undefined) return skip('this source cannot fail')
      await source.current()
      await fail()
      await expect(source.current()).rejects.toThrow(Unavailable)
    })
  })
}
