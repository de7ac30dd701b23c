import { expect, test } from 'vitest'
import { keepCheckpoints, keepPartitions } from './periodic-task.ts'

test.each([
  ['partitions are made at once, then daily', keepPartitions, 86_400_000],
  ['balance checkpoints are added at once, then hourly', keepCheckpoints, 3_600_000],
])('%s; after a failure, in a minute', async (_, keep, pauseMs) => {
  const pauses: number[] = []
  const reports: unknown[] = []
  const wakes: (() => void)[] = []
  let calls = 0
  const keeper = keep(
    () => (++calls === 2 ? Promise.reject(new Error('gone')) : Promise.resolve()),
    (ms) => {
      pauses.push(ms)
      const { promise, resolve } = Promise.withResolvers<void>()
      wakes.push(resolve)
      return { done: promise, cancel: () => undefined }
    },
    (error) => reports.push(error),
  )
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    wakes.pop()?.()
  }
  await keeper.stop()
  expect(pauses.slice(0, 3)).toEqual([pauseMs, 60_000, pauseMs])
  expect(reports).toEqual([new Error('gone')])
})
