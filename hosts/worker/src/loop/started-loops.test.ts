import { type NamedLoop, namedLoop } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { startedLoops } from './started-loops.ts'

/** Loops that record what is done with them; `ends` ends the stop of one. */
function setUp() {
  const done: string[] = []
  const { promise: compared, resolve: compare } = Promise.withResolvers<void>()
  const stops = new Map<string, () => void>()
  const loopOf = (name: string): NamedLoop =>
    namedLoop(name, {
      activity: () => ({ polls: 0, pollingMs: 0 }),
      stop: async () => {
        done.push(`stop ${name}`)
        const { promise, resolve } = Promise.withResolvers<void>()
        stops.set(name, resolve)
        await promise
        done.push(`${name} ended`)
      },
    })
  const loops = startedLoops({
    compared,
    first: loopOf('first'),
    start: () => {
      done.push('start')
      return [loopOf('payouts')]
    },
    close: async () => void done.push('close'),
  })
  return { loops, done, compare, ends: (name: string) => stops.get(name)?.() }
}

/** Everything that was resolved has run on. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('no loop but the first one starts before the clocks were compared', async () => {
  const { loops, done, compare } = setUp()
  await settled()
  expect([done, loops.running()]).toEqual([[], undefined])
  compare()
  await settled()
  expect([done, loops.running()?.map(({ name }) => name)]).toEqual([['start'], ['first', 'payouts']])
})

test('no loop starts after a stop has begun, also when the clocks are compared then', async () => {
  const { loops, done, compare, ends } = setUp()
  const stopped = loops.stop()
  expect([loops.isStopping(), done]).toEqual([true, ['stop first']])
  compare()
  await settled()
  expect(done).toEqual(['stop first'])
  ends('first')
  await stopped
  expect([done, loops.running()]).toEqual([['stop first', 'first ended', 'close'], undefined])
})

test('a stop closes what the loops use after the last of them has ended', async () => {
  const { loops, done, compare, ends } = setUp()
  compare()
  await settled()
  expect(loops.isStopping()).toBe(false)
  const stopped = loops.stop()
  await settled()
  ends('first')
  await settled()
  expect(done).toEqual(['start', 'stop first', 'stop payouts', 'first ended'])
  ends('payouts')
  await stopped
  expect(done.slice(4)).toEqual(['payouts ended', 'close'])
})
