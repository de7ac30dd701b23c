import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processPrograms, type RecordedProcess, rollOf } from './process.ts'

const missingSeconds = 30

function recorded(of: Partial<RecordedProcess> = {}): RecordedProcess {
  const { ageSeconds = 1_000, steadySeconds = ageSeconds, silentSeconds = 1 } = of
  const ages = { ageSeconds, steadySeconds, silentSeconds, endedSeconds: of.endedSeconds ?? null }
  return { id: 'prc_1', program: 'worker', host: 'h', aheadMs: 0, ...of, ...ages }
}
const api = recorded({ program: 'api', id: 'prc_api' })
const dead = (silentSeconds: number) => recorded({ id: 'prc_dead', silentSeconds })
const missingOf = (...processes: RecordedProcess[]) => rollOf(processes, missingSeconds).missing.map(({ id }) => id)

test('a process that is silent for longer than the limit is missing', () => {
  expect(missingOf(api, dead(30))).toEqual([])
  expect(missingOf(api, dead(31))).toEqual(['prc_dead'])
})

test('a process runs up to that limit, and not when it is silent for longer', () => {
  const { running } = rollOf([api, dead(30), { ...dead(31), id: 'prc_gone' }], missingSeconds)
  expect(running.map(({ id }) => id)).toEqual(['prc_api', 'prc_dead'])
})

test('a silence shows nothing while no other process was recorded', () => {
  expect(missingOf(dead(1_000))).toEqual([])
  const back = { ...api, steadySeconds: 30 }
  expect(missingOf(back, dead(1_000))).toEqual([])
  expect(missingOf({ ...back, steadySeconds: 31 }, dead(1_000))).toEqual(['prc_dead'])
})

test('a later process of the same program replaces a missing one, and only one', () => {
  const later = recorded({ id: 'prc_2', ageSeconds: 39 })
  expect(missingOf(api, dead(40), later)).toEqual([])
  expect(missingOf(api, dead(40), { ...later, program: 'api' })).toEqual(['prc_dead'])
  expect(missingOf(api, dead(40), { ...later, ageSeconds: 41 })).toEqual(['prc_dead'])
  expect(missingOf(api, dead(40), { ...dead(45), id: 'prc_earlier' }, later)).toEqual(['prc_dead'])
})

test('the earliest silence is replaced by the earliest start after it, in whatever order they are listed', () => {
  const dying = [dead(90), { ...dead(50), id: 'prc_later' }]
  const starts = [80, 40].map((ageSeconds) => recorded({ id: `prc_${ageSeconds}`, ageSeconds }))
  expect(missingOf(api, ...dying, ...starts)).toEqual([])
  expect(missingOf(api, ...dying, ...starts.toReversed())).toEqual([])
})

test('a missing process that nothing replaces leaves the replacements to others', () => {
  const deadApi = { ...dead(90), id: 'prc_dead_api', program: 'api' } as const
  const later = recorded({ id: 'prc_2', ageSeconds: 40 })
  expect(missingOf(api, deadApi, dead(50), later)).toEqual(['prc_dead_api'])
})

test('a process that ends again and again is missing until its last replacement', () => {
  const ends = [90, 70, 50].map((silentSeconds) =>
    recorded({ id: `prc_${silentSeconds}`, ageSeconds: silentSeconds + 15, silentSeconds }),
  )
  expect(missingOf(api, ...ends)).toEqual(['prc_50'])
  expect(missingOf(api, ...ends, recorded({ id: 'prc_2', ageSeconds: 45 }))).toEqual([])
})

test('a process runs or is missing or neither, and never both', () => {
  const seconds = fc.integer({ min: 0, max: 100 })
  const one = fc.record({
    id: fc.uuid(),
    host: fc.constant('h'),
    aheadMs: fc.constant(0),
    program: fc.constantFrom(...processPrograms),
    ageSeconds: seconds,
    steadySeconds: seconds,
    silentSeconds: seconds,
    endedSeconds: fc.option(seconds),
  })
  fc.assert(
    fc.property(fc.array(one), (processes) => {
      const { running, missing, observedSeconds } = rollOf(processes, missingSeconds)
      for (const each of missing) expect(running).not.toContain(each)
      if (observedSeconds <= missingSeconds) expect(missing).toEqual([])
      for (const { silentSeconds } of running) expect(silentSeconds).toBeLessThanOrEqual(missingSeconds)
    }),
  )
})

test('a process that has stopped is never missing, and replaces one that was killed before', () => {
  const stopped = recorded({ id: 'prc_2', ageSeconds: 60, silentSeconds: 45, endedSeconds: 40 })
  expect(missingOf(api, stopped)).toEqual([])
  expect(missingOf(api, dead(70), stopped)).toEqual([])
  expect(missingOf(api, dead(50), stopped)).toEqual(['prc_dead'])
})

const workerless = (...processes: RecordedProcess[]) => rollOf(processes, missingSeconds).workerlessSeconds

test('without a worker counts from the stop or silence of the last one, and while a process looked on', () => {
  const stopped = (endedSeconds: number) => recorded({ id: 'prc_3', silentSeconds: 99, endedSeconds })
  expect(workerless(api, dead(400), stopped(8))).toBe(8)
  expect(workerless(api, dead(400))).toBe(400)
  expect(workerless(api, dead(400), stopped(8), recorded())).toBe(0)
  expect(workerless({ ...api, steadySeconds: 20 }, dead(400))).toBe(20)
  expect(workerless(api)).toBe(1_000)
  expect(workerless()).toBe(0)
})

test('a fail-over of 30 s makes no process missing, while it lasts and after it', () => {
  const after = (silentSeconds: number) => [{ ...api, silentSeconds }, recorded({ silentSeconds: silentSeconds + 4 })]
  for (let silentSeconds = 0; silentSeconds <= 40; silentSeconds++) {
    expect(missingOf(...after(silentSeconds))).toEqual([])
    expect(workerless(...after(silentSeconds))).toBeLessThanOrEqual(missingSeconds)
    const back = { ...api, silentSeconds: 0, steadySeconds: 0 }
    expect(missingOf(back, recorded({ silentSeconds }))).toEqual([])
    expect(workerless(back, recorded({ silentSeconds }))).toBeLessThanOrEqual(missingSeconds)
  }
})

test('time in which no heartbeat could be recorded does not count', () => {
  // Commits have waited for a standby for 25 s, and reads are answered.
  const waiting = { ...api, silentSeconds: 29 }
  expect(missingOf(waiting, dead(33))).toEqual([])
  expect(workerless(waiting, dead(33))).toBeLessThan(missingSeconds)
  expect(missingOf(waiting, dead(55))).toEqual(['prc_dead'])
  expect(workerless(waiting, dead(55))).toBe(31)
})
