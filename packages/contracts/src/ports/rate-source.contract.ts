import { describe, expect, test } from 'vitest'
import { type RateSource, Unavailable } from '@quipu/core'
import { type Resource, useResource } from '../fixtures/resource.ts'

/** A source that has a rate. */
export type RateSourceHarness = Resource & {
  readonly source: RateSource
  /** Makes the source fail. Absent when it cannot fail. */
  fail?(): Promise<void>
}

/** The contract of a `RateSource`. */
export function rateSourceContract(name: string, open: () => Promise<RateSourceHarness>): void {
  describe(`rate source ${name}`, () => {
    const harness = useResource(open, 'each')

    test('returns a rate above zero, its source, and when it was observed', async () => {
      const { bid, source, observedAt } = await harness().source.current()
      expect(bid).toBeTypeOf('bigint')
      expect(bid > 0n).toBe(true)
      expect(source).toMatch(/^\S+$/)
      expect(Number.isInteger(observedAt.getTime())).toBe(true)
    })

    test('a report, if any, names each source, with a reading or a problem', async () => {
      const { source } = harness()
      await source.current()
      const report = await source.report?.()
      expect(report?.sources).not.toEqual([])
      for (const { name, reading, problem } of report?.sources ?? []) {
        expect(name).not.toBe('')
        expect(reading !== null || problem !== null).toBe(true)
      }
    })

    test('concurrent readings agree', async () => {
      const { source } = harness()
      const readings = await Promise.all(Array.from({ length: 10 }, () => source.current()))
      expect(new Set(readings.map(({ bid }) => bid)).size).toBe(1)
    })

    test('throws Unavailable without a fresh rate', async () => {
      const { source, fail } = harness()
      const { bid } = await source.current()
      await fail?.()
      if (fail) await expect(source.current()).rejects.toThrow(Unavailable)
      else expect((await source.current()).bid).toBe(bid)
    })
  })
}
