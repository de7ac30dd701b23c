import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { enqueueLoop, type EnqueueLoopPorts } from './enqueue-loop.ts'
import { steppedTimer, turn } from '../loop/stepped-timer.fixture.ts'
import { queueHealth } from './queue-health.ts'

const query = { limit: 2, leaseSeconds: 60, perEndpoint: 8, perTenant: 32, catchUpPerSecond: 50 }
const ref = (n: number) => ({ endpointId: 'we_1', eventId: `event-${n}` })
const delivery = (n: number) => ({ ...ref(n), tenantId: 'ten_1', wasQueued: false })

function setup(over: Partial<EnqueueLoopPorts['deliveries'] & EnqueueLoopPorts['queue']> = {}) {
  const time = { now: 0 }
  const due = { fast: [1, 2, 3].map(delivery), slow: [delivery(4)] }
  const [put, requeued, reports]: [unknown[], unknown[], unknown[]] = [[], [], []]
  const unclaimed: number[] = []
  const { timer, monotonic, pausesMs, pass } = steppedTimer()
  const loop = enqueueLoop(
    {
      deliveries: {
        enqueue: async ({ deliveryClass, limit }) => due[deliveryClass].splice(0, limit),
        requeue: async (refs) => void requeued.push(...refs),
        ...over,
      },
      queue: {
        put: async (messages) => {
          put.push(...messages)
          return []
        },
        ...over,
      },
      health: queueHealth(() => new Date(time.now), 30_000),
      noteUnclaimed: (count) => void unclaimed.push(count),
      timer,
      monotonic,
      report: (error, step) => void reports.push([step, error]),
    },
    { query, idleMs: 20 },
  )
  return { time, unclaimed, put, requeued, reports, pausesMs, pass, due, loop }
}

test('queues the due deliveries of both classes, grouped by tenant, until none is left', async () => {
  const { put, loop } = setup()
  for (let n = 0; n < 4; n++) await turn()
  expect(put).toEqual([1, 2, 4, 3].map((n) => ({ ...ref(n), group: 'ten_1' })))
  await loop.stop()
})

test('requeues deliveries that the queue refuses, and queues none while it is down', async () => {
  const { put, requeued, time, due, pass, loop } = setup({ put: async () => [ref(2)] })
  for (let n = 0; n < 3; n++) await turn()
  expect(requeued).toEqual([ref(2)])
  expect(due.fast).toHaveLength(1)
  pass()
  await turn()
  expect(due.fast).toHaveLength(1)
  time.now = 30_000
  pass()
  for (let n = 0; n < 3; n++) await turn()
  expect(due.fast).toHaveLength(0)
  expect(put).toEqual([])
  await loop.stop()
})

test('reports an unreachable queue, and requeues every delivery', async () => {
  const gone = new Unavailable('queue', 'gone')
  const { requeued, reports, loop } = setup({ put: () => Promise.reject(gone) })
  for (let n = 0; n < 3; n++) await turn()
  expect(requeued).toEqual([ref(1), ref(2), ref(4)])
  expect(reports).toEqual([['put', gone]])
  await loop.stop()
})

test('reports an unreachable database, and tries again after a pause', async () => {
  const gone = new Unavailable('store', 'gone')
  let tries = 0
  const enqueue = () => {
    tries++
    return Promise.reject(gone)
  }
  const { reports, pausesMs, pass, loop } = setup({ enqueue })
  await turn()
  expect([tries, reports, pausesMs]).toEqual([2, [['enqueue', gone]], [1_000]])
  pass()
  await turn()
  expect(tries).toBe(4)
  await loop.stop()
})

test('a queue that answers and hands nothing over counts as down, and its deliveries are due again', async () => {
  const due = { fast: [{ ...delivery(1), wasQueued: true }, delivery(2), delivery(3)], slow: [] }
  const { unclaimed, put, requeued, reports, time, pass, loop } = setup({
    enqueue: async ({ deliveryClass, limit }) => due[deliveryClass].splice(0, limit),
  })
  for (let n = 0; n < 3; n++) await turn()
  expect(requeued).toEqual([ref(1), ref(2)])
  expect(put).toEqual([])
  expect(unclaimed).toEqual([1])
  expect(reports).toMatchObject([['unclaimed', { dependency: 'queue' }]])
  pass()
  await turn()
  expect(due.fast).toHaveLength(1)
  time.now = 30_000
  pass()
  for (let n = 0; n < 3; n++) await turn()
  expect(put).toEqual([{ ...ref(3), group: 'ten_1' }])
  await loop.stop()
})
