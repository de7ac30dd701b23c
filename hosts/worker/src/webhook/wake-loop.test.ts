import { Unavailable } from '@quipu/core'
import type { ClaimedDelivery, WakeMessage } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import { queueHealth } from './queue-health.ts'
import { wakeLoop, type WakeLoopPorts } from './wake-loop.ts'

const settings = { concurrency: 3, leaseSeconds: 30, waitSeconds: 20, receivers: 1, idleMs: 1_000 }
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

function setup(over: Partial<WakeLoopPorts> = {}, names = ['a', 'b', 'c', 'd']) {
  const did: string[] = []
  const limits: number[] = []
  const reports: unknown[] = []
  const queue: WakeMessage[] = names.map((eventId) => ({
    ref: { endpointId: 'we_1', eventId },
    acknowledge: async () => void did.push(`acknowledged ${eventId}`),
  }))
  const { timer, pass } = steppedTimer()
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
      report: (error, step) => void reports.push([step, error]),
      ...over,
    },
    settings,
  )
  return { did, limits, reports, health, pass, loop }
}

test('acknowledges a message once its delivery’s attempt is recorded, and not before', async () => {
  const sending = Promise.withResolvers<void>()
  const { did, loop } = setup({
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

test('a stop waits for deliveries in progress', async () => {
  const sending = Promise.withResolvers<void>()
  const { did, loop } = setup({ work: () => sending.promise }, ['a'])
  for (let n = 0; n < 5; n++) await turn()
  let hasStopped = false
  const stopped = loop.stop().then(() => (hasStopped = true))
  for (let n = 0; n < 5; n++) await turn()
  expect([did, hasStopped]).toEqual([[], false])
  sending.resolve()
  await stopped
  expect(did).toEqual(['acknowledged a'])
})

test('acknowledges a message whose delivery cannot be claimed, and sends nothing', async () => {
  const { did, loop } = setup({ claim: async () => undefined })
  for (let n = 0; n < 5; n++) await turn()
  expect(did.toSorted()).toEqual(['a', 'b', 'c', 'd'].map((name) => `acknowledged ${name}`))
  await loop.stop()
})

test('does not acknowledge a message whose attempt was not recorded, so that it becomes visible again', async () => {
  const gone = new Unavailable('store', 'gone')
  const { did, reports, loop } = setup({ work: () => Promise.reject(gone) })
  for (let n = 0; n < 5; n++) await turn()
  expect(did).toEqual([])
  expect(reports).toEqual(Array.from({ length: 4 }, () => ['work', gone]))
  await loop.stop()
})

test('takes one message a poll, with pauses, while deliveries fail', async () => {
  let isDown = true
  const gone = new Unavailable('store', 'gone')
  const claim = async () => (isDown ? Promise.reject(gone) : undefined)
  const { did, limits, pass, loop } = setup({ claim }, ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
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

test('takes no more messages than it has free tasks', async () => {
  const sending = Promise.withResolvers<void>()
  const { limits, loop } = setup({ work: () => sending.promise })
  for (let n = 0; n < 5; n++) await turn()
  expect(limits).toEqual([3])
  sending.resolve()
  for (let n = 0; n < 5; n++) await turn()
  expect(limits.length).toBeGreaterThan(1)
  expect(Math.max(...limits)).toBe(3)
  await loop.stop()
})

test('reports an unreachable queue, marks it as down, and tries again after a pause', async () => {
  const gone = new Unavailable('queue', 'gone')
  let requests = 0
  const take = () => {
    requests++
    return Promise.reject(gone)
  }
  const { reports, health, pass, loop } = setup({ queue: { take } })
  await turn()
  expect([requests, reports, health.isDown()]).toEqual([1, [['take', gone]], true])
  pass()
  await turn()
  expect(requests).toBe(2)
  await loop.stop()
})

test('a stop aborts the wait for messages immediately, without an error', async () => {
  const { reports, health, loop } = setup({ claim: async () => undefined })
  for (let n = 0; n < 5; n++) await turn()
  await loop.stop()
  expect([reports, health.isDown()]).toEqual([[], false])
})
