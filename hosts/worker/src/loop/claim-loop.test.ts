import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { claimLoop } from './claim-loop.ts'
import { pauses, turn } from './stepped-timer.fixture.ts'

const settings = { atOnce: 2, leaseSeconds: 15, idleMs: 250 }

test('claims only what it can begin at once, and the rest when there is room', async () => {
  const due = ['a', 'b', 'c']
  const asked: number[] = []
  const open: (() => void)[] = []
  const loop = claimLoop(
    {
      claimDue: async (limit) => {
        asked.push(limit)
        return due.splice(0, limit)
      },
      work: () => new Promise<void>((resolve) => open.push(resolve)),
      timer: pauses().timer,
      report: () => undefined,
    },
    settings,
  )
  await turn()
  expect([open.length, asked]).toEqual([2, [2]])
  open[0]?.()
  await turn()
  expect([open.length, asked]).toEqual([3, [2, 1]])
  const stopping = loop.stop()
  open.forEach((end) => end())
  await stopping
})

test('pauses when nothing is due, and for longer after a failure, and goes on', async () => {
  const { timer, waiting, asked, pass } = pauses()
  const reports: unknown[] = []
  const rounds = [
    () => Promise.reject(new Unavailable('store', 'gone')),
    () => Promise.resolve(['a']),
    () => Promise.resolve([]),
  ]
  const done: string[] = []
  const loop = claimLoop<string>(
    {
      claimDue: () => (rounds.shift() ?? (() => Promise.resolve([])))(),
      work: async (claimed) => {
        done.push(claimed)
        throw new Error('a bug')
      },
      timer,
      report: (error) => void reports.push(String(error)),
    },
    settings,
  )
  for (let round = 0; round < 3; round++) {
    await turn()
    expect(waiting).toHaveLength(1)
    pass()
  }
  await loop.stop()
  expect(asked.map((ms) => ms >= 1_000)).toEqual([true, false, false])
  expect(done).toEqual(['a'])
  expect(reports).toEqual(['Unavailable: store unavailable: gone', 'Error: a bug'])
})

test('stops after what it has claimed is done, and claims nothing more', async () => {
  const { timer } = pauses()
  let rounds = 0
  const open: (() => void)[] = []
  const loop = claimLoop(
    {
      claimDue: async () => (rounds++ === 0 ? ['a'] : []),
      work: () => new Promise<void>((resolve) => open.push(resolve)),
      timer,
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
  expect(rounds).toBe(1)
})

test('waits until there is room for as many as a claim should have', async () => {
  const asked: number[] = []
  const open: (() => void)[] = []
  const due = ['a', 'b', 'c', 'd', 'e']
  const loop = claimLoop(
    {
      claimDue: async (limit) => {
        asked.push(limit)
        return due.splice(0, limit)
      },
      work: () => new Promise<void>((resolve) => open.push(resolve)),
      timer: pauses().timer,
      report: () => undefined,
    },
    { ...settings, atOnce: 4, atLeast: 2 },
  )
  await turn()
  open[0]?.()
  await turn()
  expect(asked).toEqual([4])
  open[1]?.()
  await turn()
  expect(asked).toEqual([4, 2])
  const stopping = loop.stop()
  open.forEach((end) => end())
  await stopping
})
