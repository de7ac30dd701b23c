import { expect, test } from 'vitest'
import { bob, usdt } from '../money.ts'
import { rate } from '../quote/rate.ts'
import { Unavailable } from '../unavailable.ts'
import { type Exposure, ratesWithinExposure, readExposure, recentExposure } from './exposure.ts'

const at = new Date('2026-11-20T12:00:00.000Z')
const reading = { bid: rate(100_000n), source: 'fixed', observedAt: at }
const rates = { current: async () => reading }
const now = () => at

const exposureAt = (received: bigint, left: bigint | null, limit: bigint | null) =>
  readExposure({
    reports: {
      position: async () => usdt(received),
      liquidity: async () => (left === null ? [] : [{ available: bob(left), at }]),
    },
    rates,
    now,
    limit: limit === null ? null : usdt(limit),
  })()

test.each([
  [1_000_000_000n, 5_000_00n, 500_000_000n, 500_000_000n, false],
  [1_000_000_001n, 5_000_00n, 500_000_000n, 500_000_001n, true],
  [0n, 5_000_00n, 0n, -500_000_000n, false],
  [10n, null, 9n, 10n, true],
  [10n, null, null, 10n, false],
  [0n, -1n, 1_000n, 1_000n, false],
])('received %s, left %s, limit %s: exposure %s, above %s', async (received, left, limit, exposure, isAbove) => {
  expect(await exposureAt(received, left, limit)).toMatchObject({ exposure: usdt(exposure), isAbove })
})

test('quoting stops while the exposure is above its limit, and no quote waits for a later reading', async () => {
  let ms = at.getTime()
  const answers: (() => Promise<Exposure>)[] = []
  const background: Promise<unknown>[] = []
  const above = await exposureAt(10n, null, 9n)
  const below = await exposureAt(9n, null, 9n)
  const recent = recentExposure({
    read: () => (answers.shift() ?? (() => new Promise(() => undefined)))(),
    now: () => new Date(ms),
    inBackground: (work) => void background.push(work),
  })
  const limited = ratesWithinExposure(rates, recent)
  const settled = () => Promise.all(background.splice(0))
  answers.push(() => Promise.reject(new Unavailable('store', 'gone')))
  await expect(limited.current()).rejects.toThrow('gone')
  await settled()
  answers.push(
    async () => above,
    async () => below,
  )
  await expect(limited.current()).rejects.toThrow('the exposure is above its limit')
  await settled()
  ms += 14_999
  await expect(limited.current()).rejects.toThrow(Unavailable)
  ms += 1
  await expect(limited.current()).rejects.toThrow(Unavailable)
  await settled()
  expect(await limited.current()).toBe(reading)
  ms += 15_000
  expect(await limited.current()).toBe(reading) // the reading that it began never ends
})
