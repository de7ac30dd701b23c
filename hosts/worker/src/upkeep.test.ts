import { expect, test } from 'vitest'
import { upkeep } from './upkeep.ts'

test('it is done at once, and again after the pause that it asks for; after a failure, in a minute', async () => {
  const pauses: number[] = []
  const reports: unknown[] = []
  const wakes: (() => void)[] = []
  let calls = 0
  const keeper = upkeep(
    () => (++calls === 2 ? Promise.reject(new Error('gone')) : Promise.resolve(86_400_000)),
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
  expect(pauses.slice(0, 3)).toEqual([86_400_000, 60_000, 86_400_000])
  expect(reports).toEqual([new Error('gone')])
})
