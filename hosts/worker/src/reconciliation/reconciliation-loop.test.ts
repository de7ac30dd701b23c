import { Unavailable } from '@quipu/core'
import type { ReconcileSliceResult, ReconciliationRun } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import type { RecordWork } from '../loop/work-log.ts'
import { reconciliationLoop } from './reconciliation-loop.ts'

const run = { id: 'rcn_1', check: 'chain', period: null, compared: 7, differences: 1 }
const slice = { position: 50, compared: 3, differences: 2, isLast: false }
const about = { run: run as ReconciliationRun, slice }

test('schedules each minute, rests as long as a slice takes, and logs what happened', async () => {
  const gone = new Unavailable('chain', 'gone')
  const results: (ReconcileSliceResult | Error)[] = [
    { type: 'advanced', ...about },
    { type: 'completed', ...about },
    { type: 'stale', run: about.run },
    { type: 'forged', run: about.run },
    { type: 'failed', run: about.run, error: gone },
    { type: 'failed', run: about.run, error: new Error('a bug') },
    gone,
    { type: 'idle' },
  ]
  const lines: unknown[] = []
  const record: RecordWork = ({ level, message, about }) => void lines.push([level, message, about['run_id']])
  const counted: number[] = []
  const { timer, monotonic, pausesMs, pass } = steppedTimer(5)
  let schedules = 0
  const loop = reconciliationLoop({
    timer,
    monotonic,
    schedule: async () => void schedules++,
    reconcileSlice: async () => {
      const result = results.shift() ?? { type: 'idle' }
      if (result instanceof Error) throw result
      return result
    },
    record,
    count: (_, { compared }) => void counted.push(compared),
  })
  while (results.length > 0) {
    await turn()
    pass()
  }
  await turn()
  await loop.stop()
  expect(lines).toEqual([
    ['info', 'reconciliation slice compared; the next one follows', 'rcn_1'],
    ['info', 'reconciliation run completed', 'rcn_1'],
    ['info', 'reconciliation lease ended; another worker repeats the slice', 'rcn_1'],
    ['error', 'no process left the reconciliation run as it was; ended without a comparison', 'rcn_1'],
    ['warn', 'reconciliation slice failed; repeating it in 1 min', 'rcn_1'],
    ['error', 'reconciliation slice failed; repeating it in 1 min', 'rcn_1'],
    ['warn', 'reconciliation failed; retrying in 5 s', undefined],
  ])
  expect(counted).toEqual([3, 3])
  expect(pausesMs.slice(6, 8)).toEqual([5_000, 1_000])
  expect(Math.max(...pausesMs.slice(0, 6))).toBeLessThan(100)
  expect(schedules).toBeGreaterThan(0)
  expect(schedules).toBeLessThan(pausesMs.length)
})
