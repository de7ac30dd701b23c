import { type ScanPoll, type Timer, Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { scanLoop } from './scan-loop.ts'

const quiet: ScanPoll = {
  state: 'idle',
  blocks: 0,
  transfers: 0,
  zeroValue: 0,
  unknownTokenTransfers: 0,
  lagBlocks: 0,
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('scans on at once while there is more, and pauses when there is not, or after a failure', async () => {
  const found: (ScanPoll | Error)[] = [
    { ...quiet, state: 'more', blocks: 2_000, lagBlocks: 5 },
    { ...quiet, state: 'idle', blocks: 5 },
    new Unavailable('chain', 'gone'),
    { ...quiet, state: 'held' },
    { ...quiet, state: 'contradicted' },
  ]
  const pauses: number[] = []
  const wakes: (() => void)[] = []
  const timer: Timer = (ms) => {
    pauses.push(ms)
    const { promise, resolve } = Promise.withResolvers<void>()
    wakes.push(resolve)
    return { done: promise, cancel: () => undefined }
  }
  const told: ScanPoll['state'][] = []
  const reports: string[] = []
  const loop = scanLoop(
    {
      scan: async () => {
        const next = found.shift() ?? quiet
        if (next instanceof Error) throw next
        return next
      },
      timer,
      tell: ({ state }) => void told.push(state),
      report: (error) => void reports.push(String(error)),
    },
    { pollMs: 3_000 },
  )
  for (let pause = 0; pause < 4; pause++) {
    await turn()
    wakes.pop()?.()
  }
  await loop.stop()
  expect(pauses.slice(0, 4)).toEqual([3_000, 3_000, 3_000, 3_000])
  expect(told).toEqual(['more', 'idle', 'contradicted'])
  expect(reports).toEqual(['Unavailable: chain unavailable: gone'])
})
