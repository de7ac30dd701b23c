import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { claimLoop } from './claim-loop.ts'
import { steppedTimer, turn } from './stepped-timer.fixture.ts'

const settings = { concurrency: 2, leaseSeconds: 15, idleMs: 250 }

test('claims only items that it can start immediately, and the others as tasks end', async () => {
  const due = ['a', 'b', 'c']
  const limits: number[] = []
  const open: (() => void)[] = []
  const loop = claimLoop(
    {
      claimDue: async (limit) => {
        limits.push(limit)
        return due.splice(0, limit)
      },
      work: () => new Promise<void>((resolve) => open.push(resolve)),
      ...steppedTimer(),
      report: () => undefined,
    },
    settings,
  )
  await turn()
  expect([open.length, limits]).toEqual([2, [2]])
  open[0]?.()
  await turn()
  expect([open.length, limits]).toEqual([3, [2, 1]])
  const stopping = loop.stop()
  open.forEach((end) => end())
  await stopping
})

test('pauses when nothing is due, and at least a second after a failed claim', async () => {
  const { timer, monotonic, waiting, pausesMs, pass } = steppedTimer()
  const reports: unknown[] = []
  const claims = [
    () => Promise.reject(new Unavailable('store', 'gone')),
    () => Promise.resolve(['a']),
    () => Promise.resolve([]),
  ]
  const done: string[] = []
  const loop = claimLoop<string, void>(
    {
      claimDue: () => (claims.shift() ?? (() => Promise.resolve([])))(),
      work: async (claimed) => {
        done.push(claimed)
        throw new Error('a bug')
      },
      timer,
      monotonic,
      report: (error, step) => void reports.push(`${step}: ${String(error)}`),
    },
    settings,
  )
  for (let poll = 0; poll < 3; poll++) {
    await turn()
    expect(waiting).toHaveLength(1)
    pass()
  }
  await loop.stop()
  expect(pausesMs).toEqual([1_000, 250, 250])
  expect(done).toEqual(['a'])
  expect(reports).toEqual(['claim: Unavailable: store unavailable: gone', 'work: Error: a bug'])
})

test('a stop waits for the claimed items, and claims no more', async () => {
  let claims = 0
  const open: (() => void)[] = []
  const loop = claimLoop(
    {
      claimDue: async () => (claims++ === 0 ? ['a'] : []),
      work: () => new Promise<void>((resolve) => open.push(resolve)),
      ...steppedTimer(),
      report: () => undefined,
    },
    settings,
  )
  await turn()
  let isStopped = false
  const stopping = loop.stop().then(() => (isStopped = true))
  await turn()
  expect(isStopped).toBe(false)
  open[0]?.()
  await stopping
  expect(claims).toBe(1)
})

test('claims once minBatch more items fit', async () => {
  const limits: number[] = []
  const open: (() => void)[] = []
  const due = ['a', 'b', 'c', 'd', 'e']
  const loop = claimLoop(
    {
      claimDue: async (limit) => {
        limits.push(limit)
        return due.splice(0, limit)
      },
      work: () => new Promise<void>((resolve) => open.push(resolve)),
      ...steppedTimer(),
      report: () => undefined,
    },
    { ...settings, concurrency: 4, minBatch: 2 },
  )
  await turn()
  open[0]?.()
  await turn()
  expect(limits).toEqual([4])
  open[1]?.()
  await turn()
  expect(limits).toEqual([4, 2])
  const stopping = loop.stop()
  open.forEach((end) => end())
  await stopping
})
