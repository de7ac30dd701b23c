import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import { addCheckpoints, createPartitions, writeAuditCheckpoints } from './periodic-task.ts'

test.each([
  ['creates partitions immediately, then daily', createPartitions, 86_400_000],
  ['adds balance checkpoints immediately, then hourly', addCheckpoints, 3_600_000],
  ['signs audit checkpoints immediately, then hourly', writeAuditCheckpoints, 3_600_000],
])('%s; a minute after a failure', async (_, task, pauseMs) => {
  const reports: unknown[] = []
  const { timer, pausesMs, pass } = steppedTimer()
  let calls = 0
  const loop = task(
    () => (++calls === 2 ? Promise.reject(new Error('gone')) : Promise.resolve()),
    timer,
    (error) => reports.push(error),
  )
  for (let run = 0; run < 3; run++) {
    await turn()
    pass()
  }
  await loop.stop()
  expect(pausesMs.slice(0, 3)).toEqual([pauseMs, 60_000, pauseMs])
  expect(reports).toEqual([new Error('gone')])
})
