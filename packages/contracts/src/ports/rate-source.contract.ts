import { describe, expect, test } from 'vitest'
import { type Clock, type Rate, type RateSource, Unavailable, rate } from '@quipu/core'
import { rateAgeSeconds } from '@quipu/core/adapter'
import { type Resource, useResource } from '../fixtures/resource.ts'

/** A source that has a rate, and a clock that the suite moves. */
export type RateSourceHarness = Resource & {
  readonly source: RateSource
  /** The clock that the source compares the time of an observation with. */
  readonly now: Clock
  /** Moves the clock forward. Nothing is observed meanwhile. */
  advance(ms: number): void
  /** Moves the market to this bid, observed now. Absent when the rate is a constant. */
  observe?(bid: Rate): Promise<void>
  /** Makes the source fail. Absent when it cannot fail. */
  fail?(): Promise<void>
  /** An older observation is stale; 180 by default. */
  readonly staleSeconds?: number
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

    test('never returns a stale observation', () => expectNoStaleRate(harness()))
    test('follows the market within a minute', () => expectMovingRate(harness()))
  })
}

const defaultStaleSeconds = rateAgeSeconds.max
/** How far the source's own time may be in the future: clocks differ. */
const aheadMs = rateAgeSeconds.ahead * 1_000

/** The rate is fresh; once its observation is stale it is refused, or the source has observed another one. */
export async function expectNoStaleRate(harness: RateSourceHarness): Promise<void> {
  const { source, now, advance, staleSeconds = defaultStaleSeconds } = harness
  const staleMs = staleSeconds * 1_000
  expectAge(await source.current(), now(), staleMs)
  advance(staleMs + 1)
  const later = await source.current().catch((error: unknown) => error)
  if (!(later instanceof Unavailable)) expectAge(later as Awaited<ReturnType<RateSource['current']>>, now(), staleMs)
}

function expectAge({ observedAt }: { readonly observedAt: Date }, now: Date, staleMs: number): void {
  const ageMs = now.getTime() - observedAt.getTime()
  expect(ageMs, 'the age of the observation in ms').toBeLessThanOrEqual(staleMs)
  expect(ageMs, 'the age of the observation in ms').toBeGreaterThanOrEqual(-aheadMs)
}

/** A later observation has another time, and its own bid. */
export async function expectMovingRate(harness: RateSourceHarness): Promise<void> {
  const { source, advance, observe, staleSeconds = defaultStaleSeconds } = harness
  const before = await source.current()
  advance(staleSeconds * 1_000 + 1)
  const moved = rate(before.bid + 1n)
  await observe?.(moved)
  advance(Math.min(60, staleSeconds) * 1_000)
  const after = await source.current()
  expect(after.observedAt.getTime()).toBeGreaterThan(before.observedAt.getTime())
  expect(after.bid).toBe(observe ? moved : before.bid)
}
