import { expect, test } from 'vitest'
import { failureCount } from './failure-count.ts'

/** A count on a clock that the test sets, with what it has recorded. */
function counting(record: () => Promise<unknown> = async () => undefined) {
  const state = { now: new Date('2026-03-02T12:00:00.000Z') }
  const [recorded, logged, timers]: [object[], unknown[], (() => void)[]] = [[], [], []]
  const count = failureCount({
    audit: {
      recordFailedLogins: async (logins) => {
        recorded.push(logins)
        await record()
      },
    },
    now: () => state.now,
    timer: () => ({ done: new Promise((resolve) => timers.push(resolve)), cancel: () => undefined }),
    log: { error: (...line: unknown[]) => void logged.push(line) },
  })
  return { state, recorded, logged, count, minuteOver: () => timers.shift()?.() }
}

test('the first failed login is recorded at once, later ones with their count', async () => {
  const { count, recorded, minuteOver } = counting()
  for (let failures = 0; failures < 4; failures++) count('192.0.2.1')
  const first = { address: '192.0.2.1', failures: 1 }
  expect(recorded).toMatchObject([first])
  minuteOver()
  await expect.poll(() => recorded).toMatchObject([first, { ...first, failures: 3 }])
})

test('an address may fail ten times a second; others are not affected', () => {
  const { count, state } = counting()
  const allowed = Array.from({ length: 11 }, () => count('192.0.2.1').isAllowed)
  expect(allowed.filter(Boolean)).toHaveLength(10)
  expect(allowed.at(-1)).toBe(false)
  expect(count('192.0.2.2').isAllowed).toBe(true)
  state.now = new Date(state.now.getTime() + 1_000)
  expect(count('192.0.2.1').isAllowed).toBe(true)
})

test('a database that does not answer is reported, and refuses nobody', async () => {
  const { count, logged } = counting(async () => {
    throw new Error('down')
  })
  expect(count('192.0.2.1').isAllowed).toBe(true)
  await expect.poll(() => logged.length).toBe(1)
})
