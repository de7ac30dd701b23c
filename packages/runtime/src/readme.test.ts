import { expect, test } from 'vitest'
import { startWorking } from './readme.fixture.ts'
import { BadSettings } from './settings/settings.ts'

test('the program of the README polls until it is stopped', async () => {
  const done = Promise.withResolvers<void>()
  let polls = 0
  const loop = startWorking({ IDLE_MS: '10' }, async () => {
    polls += 1
    if (polls === 3) done.resolve()
    return polls === 1 ? 5 : 0
  })
  await done.promise
  await loop.stop()
  expect(polls).toBe(3)
})

test('the program of the README refuses unusable settings', () => {
  expect(() => startWorking({ IDLE_MS: '9' }, async () => 0)).toThrow(BadSettings)
})
