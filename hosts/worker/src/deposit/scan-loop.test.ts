import { type ScanPoll, Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import { scanLoop } from './scan-loop.ts'

const quiet: ScanPoll = {
  state: 'idle',
  blocks: 0,
  transfers: 0,
  zeroValue: 0,
  unknownTokenTransfers: 0,
  unmatched: [],
  lagBlocks: 0,
}

test('scans without a pause while there are more blocks, and pauses otherwise or after a failure', async () => {
  const found: (ScanPoll | Error)[] = [
    { ...quiet, state: 'more', blocks: 2_000, lagBlocks: 5 },
    { ...quiet, state: 'idle', blocks: 5 },
    new Unavailable('chain', 'gone'),
    { ...quiet, state: 'leased' },
    { ...quiet, state: 'contradicted' },
  ]
  const { timer, monotonic, pausesMs, pass } = steppedTimer()
  const polls: ScanPoll['state'][] = []
  const reports: string[] = []
  const loop = scanLoop(
    {
      scan: async () => {
        const next = found.shift() ?? quiet
        if (next instanceof Error) throw next
        return next
      },
      timer,
      monotonic,
      onPoll: ({ state }) => void polls.push(state),
      report: (error) => void reports.push(String(error)),
    },
    { pollMs: 3_000 },
  )
  for (let pause = 0; pause < 4; pause++) {
    await turn()
    pass()
  }
  await loop.stop()
  expect(pausesMs.slice(0, 4)).toEqual([3_000, 3_000, 3_000, 3_000])
  expect(polls).toEqual(['more', 'idle', 'contradicted'])
  expect(reports).toEqual(['Unavailable: chain unavailable: gone'])
})
