import { type ClaimedDelivery, Unavailable, type WakeMessage } from '@quipu/core'
import { expect, test } from 'vitest'
import { pauses, turn } from '../loop/stepped-timer.fixture.ts'
import { queueHealth } from './queue-health.ts'
import { wakeLoop, type WakeLoopPorts } from './wake-loop.ts'

const settings = { atOnce: 3, leaseSeconds: 30, waitSeconds: 20, receivers: 1, idleMs: 1_000 }
const claimedOf = (eventId: string): ClaimedDelivery => ({
  claim: { endpointId: 'we_1', eventId, fencingToken: 1 },
  tenantId: 'ten_1',
  url: 'https://hooks.example/',
  secrets: [],
  body: new Uint8Array(),
  attempt: 1,
  isResend: false,
  lostLeases: 0,
})

function world(over: Partial<WakeLoopPorts> = {}, names = ['a', 'b', 'c', 'd']) {
  const did: string[] = []
  const limits: number[] = []
  const reports: unknown[] = []
  const queue: WakeMessage[] = names.map((eventId) => ({
    ref: { endpointId: 'we_1', eventId },
    acknowledge: async () => void did.push(`acknowledged ${eventId}`),
  }))
  const { timer, pass } = pauses()
  const health = queueHealth(() => new Date(0), 30_000)
  const loop = wakeLoop(
    {
      queue: {
        take: async (limit, _, signal) => {
          limits.push(limit)
          const taken = queue.splice(0, limit)
          if (taken.length > 0) return taken
          return new Promise((resolve) => signal?.addEventListener('abort', () => resolve([])))
        },
      },
      claim: async ({ eventId }) => claimedOf(eventId),
      work: async ({ claim }) => void did.push(`sent ${claim.eventId}`),
      health,
      timer,
      report: (error) => void reports.push(error),
      ...over,
    },
    settings,
  )
  return { did, limits, reports, health, pass, loop }
}

test('a message is acknowledged after its delivery’s attempt is on record, and not before', async () => {
  const sending = Promise.withResolvers<void>()
  const { did, loop } = world({
    work: async ({ claim }) => {
      if (claim.eventId === 'b') await sending.promise
    },
  })
  for (let n = 0; n < 5; n++) await turn()
  expect(did).toEqual(['acknowledged a', 'acknowledged c', 'acknowledged d'])
  sending.resolve()
  await loop.stop()
  expect(did).toContain('acknowledged b')
})

test('a stop waits for what is being sent', async () => {
  const sending = Promise.withResolvers<void>()
  const { did, loop } = world({ work: () => sending.promise }, ['a'])
  for (let n = 0; n < 5; n++) await turn()
  let hasStopped = false
  const stopped = loop.stop().then(() => (hasStopped = true))
  for (let n = 0; n < 5; n++) await turn()
  expect([did, hasStopped]).toEqual([[], false])
  sending.resolve()
  await stopped
  expect(did).toEqual(['acknowledged a'])
})

test('a message whose delivery nobody may claim is acknowledged, and nothing is sent', async () => {
  const { did, loop } = world({ claim: async () => undefined })
  for (let n = 0; n < 5; n++) await turn()
  expect(did.toSorted()).toEqual(['a', 'b', 'c', 'd'].map((name) => `acknowledged ${name}`))
  await loop.stop()
})

test('a message whose attempt could not be recorded is not acknowledged: it comes again', async () => {
  const gone = new Unavailable('store', 'gone')
  const { did, reports, loop } = world({ work: () => Promise.reject(gone) })
  for (let n = 0; n < 5; n++) await turn()
  expect(did).toEqual([])
  expect(reports).toEqual([gone, gone, gone, gone])
  await loop.stop()
})

test('while messages cannot be worked on they are taken one by one, with pauses', async () => {
  let isDown = true
  const gone = new Unavailable('store', 'gone')
  const claim = async () => (isDown ? Promise.reject(gone) : undefined)
  const { did, limits, pass, loop } = world({ claim }, ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  const goOn = async (): Promise<void> => {
    pass()
    for (let n = 0; n < 5; n++) await turn()
  }
  await goOn()
  expect(limits).toEqual([3, 1])
  isDown = false
  await goOn()
  expect(limits).toEqual([3, 1, 1])
  await goOn()
  expect(limits.slice(0, 4)).toEqual([3, 1, 1, 3])
  expect(did).toEqual(['e', 'f', 'g'].map((name) => `acknowledged ${name}`))
  await loop.stop()
})

test('takes no more than it has room for', async () => {
  const sending = Promise.withResolvers<void>()
  const { limits, loop } = world({ work: () => sending.promise })
  for (let n = 0; n < 5; n++) await turn()
  expect(limits).toEqual([3])
  sending.resolve()
  for (let n = 0; n < 5; n++) await turn()
  expect(limits.length).toBeGreaterThan(1)
  expect(Math.max(...limits)).toBe(3)
  await loop.stop()
})

test('a queue that cannot be reached is told of, is down for a while, and is asked again after a pause', async () => {
  const gone = new Unavailable('queue', 'gone')
  let asked = 0
  const take = () => {
    asked++
    return Promise.reject(gone)
  }
  const { reports, health, pass, loop } = world({ queue: { take } })
  await turn()
  expect([asked, reports, health.isDown()]).toEqual([1, [gone], true])
  pass()
  await turn()
  expect(asked).toBe(2)
  await loop.stop()
})

test('a stop ends the waiting for messages at once, and is no failure', async () => {
  const { reports, health, loop } = world({ claim: async () => undefined })
  for (let n = 0; n < 5; n++) await turn()
  await loop.stop()
  expect([reports, health.isDown()]).toEqual([[], false])
})
