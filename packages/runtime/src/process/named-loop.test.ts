import { expect, test } from 'vitest'
import { haltedLoops, namedLoop } from './named-loop.ts'
import { pollingLoop } from './polling-loop.ts'

const never = () => ({ done: new Promise<void>(() => undefined), cancel: () => undefined })

test('a loop counts its polls, and counts as halted while one poll does not end', async () => {
  let now = 1_000
  const polls = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  let at = 0
  const loop = pollingLoop(
    () => polls[at++]?.promise ?? Promise.resolve(1),
    never,
    () => now,
  )
  const loops = [namedLoop('payouts', loop, 500)]
  expect(loop.activity()).toEqual({ polls: 0, pollingMs: 0 })
  now = 1_499
  expect(loop.activity()).toEqual({ polls: 0, pollingMs: 499 })
  expect(haltedLoops(loops)).toEqual([])
  now = 1_500
  expect(haltedLoops(loops)).toEqual(['payouts'])

  polls[0]?.resolve(0)
  await Promise.resolve().then(() => undefined)
  await Promise.resolve().then(() => undefined)
  expect(loop.activity()).toEqual({ polls: 1, pollingMs: 0 })
  expect(haltedLoops(loops)).toEqual([])

  polls[1]?.resolve(1_000)
  await Promise.resolve().then(() => undefined)
  await Promise.resolve().then(() => undefined)
  now = 999_999
  expect(loop.activity()).toEqual({ polls: 2, pollingMs: 0 })
  await loop.stop()
})
