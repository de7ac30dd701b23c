import { expect, test } from 'vitest'
import { openOtherSession } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness({ clockOverride: () => now })
let now = new Date('2026-04-01T00:00:00.000Z')

const step = (ms: number): void => void (now = new Date(now.getTime() + ms))
/** Uses of a tenth of a second each. */
const use = (key: string) => ({ key, count: 1, ageMs: 0, perSecond: 10 })

test('an allowance is forgotten when it has been whole for more than a minute', async () => {
  const { rateLimits } = harness.stores
  await rateLimits.record([use('writes:a')])
  step(60_100)
  expect(await rateLimits.forget()).toBe(0)
  step(1)
  expect(await rateLimits.forget()).toBe(1)
})

test('an allowance that a process is recording is skipped without waiting, and stays', async () => {
  const { rateLimits } = harness.stores
  await rateLimits.record([use('writes:a'), use('writes:b')])
  step(90_000)
  await using other = await openOtherSession(harness.stores.url)
  await other.sql('begin')
  await other.sql(`select quipu.record_rate_use('{writes:a}', '{4}', '{0}', '{10}', $1)`, [now])
  await harness.sql(`set lock_timeout = '5s'`)
  const forget = 'select quipu.forget_rate_use($1)::int as forgotten'
  expect(await harness.sql(forget, [now])).toEqual([{ forgotten: 1 }])
  await other.sql('commit')
  const [used = 0] = await rateLimits.record([use('writes:a')])
  expect(used).toBeCloseTo(5)
})
