import { expect, test } from 'vitest'
import { crew } from './task-pool.ts'
import { turn } from './stepped-timer.fixture.ts'

test('whoever waits is told of the next end, and each end is one less', async () => {
  const team = crew()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  team.start(first.promise)
  team.start(second.promise)
  let told = 0
  void team.left().then(() => (told += 1))
  void team.left().then(() => (told += 1))
  await turn()
  expect([team.size(), told]).toEqual([2, 0])
  first.resolve()
  await turn()
  expect([team.size(), told]).toEqual([1, 2])
  second.resolve()
  await turn()
  expect([team.size(), told]).toEqual([0, 2])
})

test('it is idle when the last one has ended, also one that began meanwhile', async () => {
  const team = crew()
  await team.idle()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  team.start(first.promise)
  let isIdle = false
  const idle = team.idle().then(() => (isIdle = true))
  team.start(second.promise)
  first.resolve()
  await turn()
  expect(isIdle).toBe(false)
  second.resolve()
  await idle
})
