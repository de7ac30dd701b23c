import { describe, expect, test } from 'vitest'
import { type RateSource, Unavailable } from '@quipu/core'
import { type Resource, useResource } from '../fixtures/resource.ts'

/** A source with a rate at hand. */
export type RateSourceHarness = Resource & {
  readonly source: RateSource
  /** Takes the rate away, as when the world behind the source falls silent. Absent where nothing can. */
  fail?(): Promise<void>
}

/** What every `RateSource` must do, as tests. */
export function rateSourceContract(name: string, open: () => Promise<RateSourceHarness>): void {
  describe(`rate source ${name}`, () => {
    const harness = useResource(open, 'each')

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

    test('without a fresh rate it is unavailable: there is no fallback', async () => {
      const { source, fail } = harness()
      const { bid } = await source.current()
      await fail?.()
      if (fail) await expect(source.current()).rejects.toThrow(Unavailable)
      else expect((await source.current()).bid).toBe(bid)
    })
  })
}
