import { Unavailable } from '@quipu/core'
import type { RateLimitStore } from '@quipu/core/operator'
import { memoryStores } from '@quipu/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { steppedClock } from '../../test/harness/clock.fixture.ts'
import { type RateLimiter, rateLimiter } from '@quipu/runtime'
import { sharedLimits } from './shared-limits.ts'

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Processes over one store, on one clock that the test steps. */
function processes(count: number, perSecond: number, over: Partial<RateLimitStore> = {}) {
  const clock = steppedClock()
  const store = { ...memoryStores(clock).rateLimits, ...over }
  const errors: unknown[] = []
  const all = Array.from({ length: count }, () => {
    const limits = sharedLimits(clock.now)
    const limiter = limits.limiter('writes', perSecond)
    if (!limiter) throw new Error('there is a limit')
    const report = (error: unknown): void => void errors.push(error)
    const loop = limits.share({ store, timer: clock.timer, report })
    return { limiter, stop: loop.stop }
  })
  const stop = () => Promise.all(all.map((process) => process.stop()))
  return { clock, limiters: all.map(({ limiter }) => limiter), all, errors, stop }
}

const allowedOf = (limiter: RateLimiter | undefined, times: number): number => {
  let allowed = 0
  for (let i = 0; i < times; i++) if (limiter?.take('a').isAllowed === true) allowed++
  return allowed
}

test('what one process allows, the other has no longer, and its headers say so', async () => {
  const { clock, limiters, stop } = processes(2, 16)
  const [one, two] = limiters
  await turns()
  expect(allowedOf(one, 12)).toBe(12)
  await turns()
  // It asks once it has allowed an eighth of the limit, or after 100 ms.
  expect(allowedOf(two, 2)).toBe(2)
  await turns()
  expect(two?.take('a')).toMatchObject({ isAllowed: true, remaining: 1 })
  expect(allowedOf(two, 9)).toBe(1)
  expect(two?.take('b')).toMatchObject({ remaining: 15 })
  await turns()
  clock.step(100)
  await turns()
  expect(allowedOf(one, 2)).toBe(2)
  await turns()
  expect(one?.take('a')).toMatchObject({ isAllowed: false, remaining: 0, retryAfterSeconds: 1 })
  await stop()
})

test('what is below an eighth of the limit is exchanged every 100 ms', async () => {
  const recorded: number[] = []
  const record: RateLimitStore['record'] = async (uses) => {
    recorded.push(...uses.map(({ count }) => count))
    return uses.map(() => 0)
  }
  const { clock, limiters, stop } = processes(1, 100, { record })
  await turns()
  allowedOf(limiters[0], 5)
  await turns()
  expect(recorded).toEqual([])
  clock.step(100)
  await turns()
  expect(recorded).toEqual([5])
  await stop()
})

test('processes together allow the limit and at most one allowance more for each further process', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 60 }),
      fc.array(fc.tuple(fc.nat(3), fc.nat(30), fc.nat(60)), { minLength: 20, maxLength: 120 }),
      async (count, perSecond, steps) => {
        const { clock, limiters, stop } = processes(count, perSecond)
        await turns()
        // Never refused: a request that the reference would allow with a tenth to spare: 100 ms between two exchanges.
        const reference = rateLimiter(perSecond, clock.now)
        let [allowed, isWithin, elapsed] = [0, true, 0]
        for (const [at, times, pause] of steps) {
          clock.step(pause)
          elapsed += pause
          await turns()
          for (let i = 0; i < times; i++) {
            const { isAllowed: fits, remaining } = reference.take('a')
            isWithin &&= fits && remaining > perSecond / 10 + 1
            const isAllowed = limiters[at % count]?.take('a').isAllowed === true
            if (isWithin) expect(isAllowed).toBe(true)
            if (isAllowed) allowed++
          }
          await turns()
        }
        expect(allowed).toBeLessThanOrEqual(perSecond * (elapsed / 1_000 + count) + count)
        await stop()
      },
    ),
    { numRuns: 60 },
  )
})

test('without the store each process allows the limit by itself, and reports only errors', async () => {
  const record = () => Promise.reject(new Unavailable('store', 'down'))
  const { clock, limiters, errors, stop } = processes(2, 8, { record, forget: record })
  await turns()
  expect(limiters.map((limiter) => allowedOf(limiter, 20))).toEqual([8, 8])
  clock.step(1_000)
  await turns()
  expect(limiters.map((limiter) => allowedOf(limiter, 20))).toEqual([8, 8])
  expect(errors).toEqual([])
  await stop()
  const broken = processes(1, 8, { record: () => Promise.reject(new Error('a bug')) })
  await turns()
  allowedOf(broken.limiters[0], 8)
  await turns()
  expect(broken.errors).toContainEqual(new Error('a bug'))
  await broken.stop()
})

test('a slow answer refuses nothing that was made up for meanwhile', async () => {
  const answered = Promise.withResolvers<readonly number[]>()
  const { clock, limiters, stop } = processes(1, 10, { record: () => answered.promise })
  await turns()
  expect(allowedOf(limiters[0], 10)).toBe(10)
  clock.step(1_000)
  answered.resolve([2]) // Of the two that were sent; eight more were allowed since.
  await turns()
  expect(allowedOf(limiters[0], 11)).toBe(10)
  await stop()
})

test('a stopped process exchanges no more, and the others have its part a second later', async () => {
  const { clock, limiters, all, stop } = processes(2, 10)
  await turns()
  allowedOf(limiters[0], 10)
  await turns()
  await all[0]?.stop()
  await turns()
  allowedOf(limiters[1], 1)
  await turns()
  expect(allowedOf(limiters[1], 10)).toBeLessThan(10)
  clock.step(2_000)
  expect(allowedOf(limiters[1], 11)).toBe(10)
  await stop()
})
