import { type ClaimedPayout, type Payout, type Timer, Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { resumeLoop } from './resume-loop.ts'

const settings = { atOnce: 2, leaseSeconds: 15, idleMs: 250 }

/** A claim that only its identity matters of. */
const claimed = (id: string): ClaimedPayout =>
  ({ claim: { tenantId: 'ten_1', payoutId: id, fence: 2 }, asked: 1 }) as ClaimedPayout

/** Timers that wait for the test. */
function pauses() {
  const waiting: (() => void)[] = []
  const timer: Timer = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    return { done: promise, cancel: () => undefined }
  }
  return { timer, waiting, pass: () => waiting.splice(0).forEach((wake) => wake()) }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('claims only what it can ask about at once, and the rest when there is room', async () => {
  const due = ['a', 'b', 'c'].map(claimed)
  const asked: number[] = []
  const open: ((payout: Payout) => void)[] = []
  const loop = resumeLoop(
    {
      payouts: {
        claimDue: async (limit) => {
          asked.push(limit)
          return due.splice(0, limit)
        },
      },
      resume: () => new Promise((resolve) => open.push(resolve)),
      timer: pauses().timer,
      report: () => undefined,
    },
    settings,
  )
  await turn()
  expect([open.length, asked]).toEqual([2, [2]])
  open[0]?.({} as Payout)
  await turn()
  expect([open.length, asked]).toEqual([3, [2, 1]])
  const stopping = loop.stop()
  open.forEach((end) => end({} as Payout))
  await stopping
})

test('pauses when nothing is due, and goes on after a failure', async () => {
  const { timer, waiting, pass } = pauses()
  const reports: unknown[] = []
  const rounds = [
    () => Promise.reject(new Unavailable('store', 'gone')),
    () => Promise.resolve([claimed('a')]),
    () => Promise.resolve([]),
  ]
  const resumed: string[] = []
  const loop = resumeLoop(
    {
      payouts: { claimDue: () => (rounds.shift() ?? (() => Promise.resolve([])))() },
      resume: async ({ claim }) => {
        resumed.push(claim.payoutId)
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
  expect(resumed).toEqual(['a'])
  expect(reports).toEqual(['Unavailable: store unavailable: gone', 'Error: a bug'])
})

test('stops after what it has claimed is done, and claims nothing more', async () => {
  const { timer } = pauses()
  let rounds = 0
  const open: ((payout: Payout) => void)[] = []
  const loop = resumeLoop(
    {
      payouts: { claimDue: async () => (rounds++ === 0 ? [claimed('a')] : []) },
      resume: () => new Promise((resolve) => open.push(resolve)),
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
  open[0]?.({} as Payout)
  await stopping
  expect(rounds).toBe(1)
})
