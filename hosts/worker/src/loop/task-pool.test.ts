import { expect, test } from 'vitest'
import { turn } from './stepped-timer.fixture.ts'
import { taskPool } from './task-pool.ts'

test('each end resolves all waits for the next one, and frees one place', async () => {
  const tasks = taskPool()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  tasks.start(first.promise)
  tasks.start(second.promise)
  let resolved = 0
  void tasks.nextEnd().then(() => (resolved += 1))
  void tasks.nextEnd().then(() => (resolved += 1))
  await turn()
  expect([tasks.size(), resolved]).toEqual([2, 0])
  first.resolve()
  await turn()
  expect([tasks.size(), resolved]).toEqual([1, 2])
  second.resolve()
  await turn()
  expect([tasks.size(), resolved]).toEqual([0, 2])
})

test('is idle when the last task has ended, including one that started meanwhile', async () => {
  const tasks = taskPool()
  await tasks.idle()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  tasks.start(first.promise)
  let isIdle = false
  const idle = tasks.idle().then(() => (isIdle = true))
  tasks.start(second.promise)
  first.resolve()
  await turn()
  expect(isIdle).toBe(false)
  second.resolve()
  await idle
})
