import { rate as rateOf, type RateSource, Unavailable } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CompositeRate, compositeRate, type CompositeRateOptions } from './composite-rate.ts'

/** A bid with its age in seconds, or none. */
type Said = { readonly bid: bigint; readonly ageSeconds?: number } | 'down'

type Harness = {
  readonly rate: CompositeRate
  /** Number of requests to each source. */
  readonly asked: number[]
  say(...said: readonly Said[]): void
  pass(seconds: number): void
  now(): Date
}

/** A composite of scripted sources with a stepped clock. */
function startComposite(options: Partial<CompositeRateOptions> = {}, count = 2): Harness {
  let clock = Date.UTC(2026, 0, 1)
  let script: readonly (RateReading | 'down')[] = []
  const asked = Array.from({ length: count }, () => 0)
  const now = (): Date => new Date(clock)
  const source = (index: number): RateSource => ({
    async current() {
      asked[index] = (asked[index] ?? 0) + 1
      const said = script[index] ?? 'down'
      if (said === 'down') throw new Unavailable('rate_source', 'down')
      return said
    },
  })
  const sources = Array.from({ length: count }, (_, index) => source(index))
  return {
    rate: compositeRate({ sources, now, ...options }),
    asked,
    say(...said) {
      script = said.map((one, index) => {
        if (one === 'down') return one
        const observedAt = new Date(clock - (one.ageSeconds ?? 0) * 1000)
        return { bid: rateOf(one.bid), source: `s${index}`, observedAt }
      })
    },
    pass(seconds) {
      clock += seconds * 1000
    },
    now,
  }
}

const bidOf = async ({ rate }: Harness): Promise<bigint | 'none'> =>
  rate.current().then(
    ({ bid }) => bid,
    (error: unknown) => {
      if (error instanceof Unavailable) return 'none'
      throw error
    },
  )

test('gives the lower bid of two sources that agree', async () => {
  const harness = startComposite()
  harness.say({ bid: 99_600n, ageSeconds: 5 }, { bid: 99_500n, ageSeconds: 20 })
  expect(await harness.rate.current()).toEqual({
    bid: 99_500n,
    source: 'composite(s0,s1)',
    observedAt: new Date('2025-12-31T23:59:40.000Z'),
  })
})

test('one source, or one fresh and one stale source, gives no rate', async () => {
  const harness = startComposite()
  harness.say({ bid: 99_500n }, 'down')
  expect(await bidOf(harness)).toBe('none')
  harness.pass(30)
  harness.say({ bid: 99_500n }, { bid: 99_500n, ageSeconds: 181 })
  expect(await bidOf(harness)).toBe('none')
  harness.pass(30)
  harness.say({ bid: 99_500n }, { bid: 99_500n, ageSeconds: -11 })
  expect(await bidOf(harness)).toBe('none')
  harness.pass(30)
  harness.say({ bid: 99_500n }, { bid: 99_400n, ageSeconds: 180 })
  expect(await bidOf(harness)).toBe(99_400n)
})

test('of three sources one may be missing', async () => {
  const harness = startComposite({}, 3)
  harness.say({ bid: 99_500n }, 'down', { bid: 99_400n })
  expect(await harness.rate.current()).toMatchObject({ bid: 99_400n, source: 'composite(s0,s2)' })
})

test('sources that disagree give no rate and end the previous one', async () => {
  const harness = startComposite()
  harness.say({ bid: 99_500n }, { bid: 99_500n })
  expect(await bidOf(harness)).toBe(99_500n)
  harness.pass(30)
  harness.say({ bid: 99_500n }, { bid: 90_000n })
  expect(await bidOf(harness)).toBe('none')
  harness.pass(30)
  harness.say('down', 'down')
  expect(await bidOf(harness)).toBe('none')
})

test('the last rate is used while sources are down, until it is stale', async () => {
  const harness = startComposite()
  harness.say({ bid: 99_500n, ageSeconds: 60 }, { bid: 99_500n })
  expect(await bidOf(harness)).toBe(99_500n)
  harness.say('down', 'down')
  harness.pass(120)
  expect(await bidOf(harness)).toBe(99_500n)
  harness.pass(1)
  expect(await bidOf(harness)).toBe('none')
})

test('a single source can lower or end the last rate, but not raise it', async () => {
  const harness = startComposite()
  harness.say({ bid: 99_500n }, { bid: 99_500n })
  await harness.rate.refresh()
  harness.say({ bid: 99_600n }, 'down')
  await harness.rate.refresh()
  expect(await bidOf(harness)).toBe(99_500n)
  harness.say({ bid: 99_000n }, 'down')
  await harness.rate.refresh()
  expect(await bidOf(harness)).toBe(99_000n)
  harness.say({ bid: 95_000n }, 'down')
  await harness.rate.refresh()
  expect(await bidOf(harness)).toBe('none')
})

test('a single source far above the last rate ends it', async () => {
  const harness = startComposite()
  harness.say({ bid: 99_500n }, { bid: 99_500n })
  await harness.rate.refresh()
  harness.say('down', { bid: 105_000n })
  await harness.rate.refresh()
  expect(await bidOf(harness)).toBe('none')
})

test('a jump gives no rate until a second reading confirms it', async () => {
  const harness = startComposite()
  harness.say({ bid: 100_000n }, { bid: 100_000n })
  expect(await bidOf(harness)).toBe(100_000n)
  harness.pass(30)
  harness.say({ bid: 110_000n }, { bid: 110_100n })
  expect(await bidOf(harness)).toBe('none')
  harness.pass(30)
  expect(await bidOf(harness)).toBe('none') // The same observations.
  harness.pass(30)
  harness.say({ bid: 109_000n }, { bid: 110_000n })
  expect(await bidOf(harness)).toBe(109_000n)
})

test('a temporary jump is never rates', async () => {
  const harness = startComposite()
  for (const [bid, rates] of [
    [100_000n, 100_000n],
    [110_000n, 'none'],
    [100_500n, 100_500n],
  ] as const) {
    harness.say({ bid }, { bid })
    expect(await bidOf(harness)).toBe(rates)
    harness.pass(30)
  }
})

test('the band includes its ends', async () => {
  const band = { min: rateOf(60_000n), max: rateOf(200_000n) }
  for (const [bid, rates] of [
    [59_999n, 'none'],
    [60_000n, 60_000n],
    [200_000n, 200_000n],
    [200_001n, 'none'],
  ] as const) {
    const harness = startComposite({ band })
    harness.say({ bid }, { bid })
    expect(await bidOf(harness)).toBe(rates)
  }
})

test('a single source that lowers the last rate below the band ends it', async () => {
  const harness = startComposite({ band: { min: rateOf(99_500n), max: rateOf(200_000n) } })
  harness.say({ bid: 99_500n }, { bid: 99_500n })
  await harness.rate.refresh()
  harness.say({ bid: 99_499n }, 'down')
  await harness.rate.refresh()
  expect(await bidOf(harness)).toBe('none')
})

test('a poll is used for 30 s, with too few sources for 5 s', async () => {
  const harness = startComposite()
  harness.say({ bid: 100_000n }, { bid: 100_000n })
  for (const [seconds, polls] of [
    [0, 1],
    [29, 1],
    [1, 2],
  ] as const) {
    harness.pass(seconds)
    await bidOf(harness)
    expect(harness.asked).toEqual([polls, polls])
  }
  const failing = startComposite()
  for (const [seconds, polls] of [
    [0, 1],
    [4, 1],
    [1, 2],
  ] as const) {
    failing.pass(seconds)
    await bidOf(failing)
    expect(failing.asked).toEqual([polls, polls])
  }
})

test('after a clock step back an old rate is not kept', async () => {
  const harness = startComposite()
  harness.say({ bid: 100_000n }, { bid: 100_000n })
  await bidOf(harness)
  harness.pass(-3600)
  expect(await bidOf(harness)).toBe('none')
  expect(harness.asked).toEqual([2, 2])
})

test('concurrent callers share one poll', async () => {
  const harness = startComposite()
  harness.say({ bid: 100_000n }, { bid: 100_000n })
  const bids = await Promise.all(Array.from({ length: 20 }, () => bidOf(harness)))
  expect(new Set(bids)).toEqual(new Set([100_000n]))
  expect(harness.asked).toEqual([1, 1])
})

test('refresh polls at once, and the next call needs no poll', async () => {
  const harness = startComposite()
  harness.say({ bid: 100_000n }, { bid: 100_000n })
  await harness.rate.refresh()
  await harness.rate.refresh()
  expect(await bidOf(harness)).toBe(100_000n)
  expect(harness.asked).toEqual([2, 2])
})

test('the report shows each source of the last poll, and how far the usable ones are apart', async () => {
  const harness = startComposite({}, 4)
  harness.say({ bid: 100_000n }, { bid: 102_001n }, 'down', { bid: 1n, ageSeconds: 181 })
  expect(await bidOf(harness)).toBe('none')
  const { sources, agreement } = await harness.rate.report()
  expect(harness.asked).toEqual([1, 1, 1, 1])
  expect(agreement).toEqual({ spreadBps: 201, maxSpreadBps: 200 })
  expect(sources.map(({ name, reading, problem }) => [name, reading?.bid, problem])).toEqual([
    ['s0', 100_000n, null],
    ['s1', 102_001n, null],
    ['source 3', undefined, 'rate_source unavailable: down'],
    ['s3', 1n, 'stale or future time'],
  ])
  harness.pass(30)
  harness.say({ bid: 100_000n }, 'down', 'down', 'down')
  expect((await harness.rate.report()).agreement).toBeNull()
})

test('an error other than Unavailable is thrown, and the next poll works', async () => {
  const harness = startComposite()
  let broken = true
  const fixed: RateSource = {
    async current() {
      if (broken) throw new TypeError('bug')
      return { bid: rateOf(100_000n), source: 'fixed', observedAt: harness.now() }
    },
  }
  const other: RateSource = { current: async () => ({ ...(await fixed.current()), source: 'o' }) }
  const rate = compositeRate({ sources: [fixed, other], now: harness.now })
  await expect(rate.current()).rejects.toThrow(TypeError)
  broken = false
  expect(await rate.current()).toMatchObject({ bid: 100_000n })
})

test('fewer than two sources throw', () => {
  const { now, rate } = startComposite()
  expect(() => compositeRate({ sources: [rate], now })).toThrow('two sources')
})

const said = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Said>('down') },
  {
    weight: 5,
    arbitrary: fc.record({
      bid: fc.oneof(fc.bigInt(99_000n, 101_000n), fc.bigInt(1n, 200_000n)),
      ageSeconds: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: -30, max: 300 })),
    }),
  },
)
const steps = fc.array(
  fc.record({
    seconds: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 600 })),
    said: fc.option(fc.tuple(said, said, said), { nil: undefined }),
    force: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
)

test('a rate is never stale, outside its band, or above a fresh bid of the last poll', async () => {
  const band = { min: rateOf(50_000n), max: rateOf(150_000n) }
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const harness = startComposite({ band }, 3)
      let script: readonly RateReading[] = []
      let polled: { readings: readonly RateReading[]; at: Date; polls: number } | undefined
      for (const { seconds, said, force } of steps) {
        harness.pass(seconds)
        if (said) {
          harness.say(...said)
          script = said.flatMap((one, index) => {
            if (one === 'down') return []
            const observedAt = new Date(harness.now().getTime() - one.ageSeconds! * 1000)
            return [{ bid: rateOf(one.bid), source: `s${index}`, observedAt }]
          })
        }
        if (force) await harness.rate.refresh()
        const reading = await harness.rate.current().catch(() => undefined)
        const polls = harness.asked[0] ?? 0
        if (polled?.polls !== polls) polled = { readings: script, at: harness.now(), polls }
        if (!reading) continue
        const ageMs = harness.now().getTime() - reading.observedAt.getTime()
        expect(ageMs).toBeLessThanOrEqual(180_000)
        expect(ageMs).toBeGreaterThanOrEqual(-10_000)
        expect(reading.bid >= band.min && reading.bid <= band.max).toBe(true)
        for (const { bid, observedAt } of polled.readings) {
          const age = polled.at.getTime() - observedAt.getTime()
          if (age <= 180_000 && age >= -10_000) expect(reading.bid <= bid).toBe(true)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('two successive rates differ by at most 3 %', async () => {
  const bids = fc.array(fc.bigInt(90_000n, 110_000n), { minLength: 2, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(bids, async (bids) => {
      const harness = startComposite()
      const rates: (bigint | 'none')[] = []
      for (const bid of bids) {
        harness.say({ bid }, { bid })
        rates.push(await bidOf(harness))
        harness.pass(301) // Past the window: the last accepted is all there is to be far from.
      }
      for (const [i, bid] of rates.entries()) {
        const before = rates[i - 1]
        if (bid === 'none' || before === undefined || before === 'none') continue
        const distance = bid > before ? bid - before : before - bid
        expect(distance * 100n <= before * 3n).toBe(true)
      }
    }),
  )
})
