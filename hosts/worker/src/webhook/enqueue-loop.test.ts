import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { dispatchLoop, type DispatchLoopPorts } from './enqueue-loop.ts'
import { pauses, turn } from '../loop/stepped-timer.fixture.ts'
import { queueHealth } from './queue-health.ts'

const query = { limit: 2, leaseSeconds: 60, perEndpoint: 8, perTenant: 32, catchUpPerSecond: 50 }
const delivery = (n: number) => ({ endpointId: 'we_1', eventId: `event-${n}`, tenantId: 'ten_1' })
const ref = (n: number) => ({ endpointId: 'we_1', eventId: `event-${n}` })

function world(over: Partial<DispatchLoopPorts['deliveries'] & DispatchLoopPorts['queue']> = {}) {
  const time = { now: 0 }
  const due = { fast: [1, 2, 3].map(delivery), slow: [delivery(4)] }
  const [put, takenBack, reports]: [unknown[], unknown[], unknown[]] = [[], [], []]
  const { timer, asked, pass } = pauses()
  const loop = dispatchLoop(
    {
      deliveries: {
        enqueue: async ({ deliveryClass, limit }) => due[deliveryClass].splice(0, limit),
        requeue: async (refs) => void takenBack.push(...refs),
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
      timer,
      report: (error) => void reports.push(error),
    },
    { query, idleMs: 20 },
  )
  return { time, put, takenBack, reports, asked, pass, due, loop }
}

test('what is due in either lane goes into the queue, named by its tenant, until nothing is left', async () => {
  const { put, loop } = world()
  for (let n = 0; n < 4; n++) await turn()
  expect(put).toEqual([1, 2, 4, 3].map((n) => ({ ...ref(n), group: 'ten_1' })))
  await loop.stop()
})

test('what the queue does not take is due again at once, and nothing is handed out for a while', async () => {
  const { put, takenBack, time, due, pass, loop } = world({ put: async () => [ref(2)] })
  for (let n = 0; n < 3; n++) await turn()
  expect(takenBack).toEqual([ref(2)])
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

test('a queue that cannot be reached is told of, and everything is taken back', async () => {
  const gone = new Unavailable('queue', 'gone')
  const { takenBack, reports, loop } = world({ put: () => Promise.reject(gone) })
  for (let n = 0; n < 3; n++) await turn()
  expect(takenBack).toEqual([ref(1), ref(2), ref(4)])
  expect(reports).toEqual([gone])
  await loop.stop()
})

test('a database that cannot be reached is told of and asked again after a pause', async () => {
  const gone = new Unavailable('store', 'gone')
  let tries = 0
  const enqueue = () => {
    tries++
    return Promise.reject(gone)
  }
  const { reports, asked, pass, loop } = world({ enqueue })
  await turn()
  expect([tries, reports, asked]).toEqual([2, [gone], [1_000]])
  pass()
  await turn()
  expect(tries).toBe(4)
  await loop.stop()
})
