import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { type Reply, sendRequest } from '../harness/http-client.fixture.ts'

const api = useTestApi('each', { SCAN_BEHIND_SECONDS: '60' })

const get = (path: string): Promise<Reply> =>
  sendRequest(`${api.operatorUrl}/operator/v1${path}`, 'GET', { token: 'viewers' })

test('a viewer reads which processes run, and since when', async () => {
  const worker = { id: 'prc_2', program: 'worker', host: 'worker-1', aheadMs: -7 } as const
  await api.stores.processes.beat(worker)
  api.clock.step(10_500)
  await api.stores.processes.beat({ ...worker, id: 'prc_1', program: 'api' })
  expect((await get('/processes')).json.data).toEqual([
    { id: 'prc_1', program: 'api', host: 'worker-1', clock_ahead_ms: -7, age_seconds: 0, silent_seconds: 0 },
    { id: 'prc_2', program: 'worker', host: 'worker-1', clock_ahead_ms: -7, age_seconds: 10, silent_seconds: 10 },
  ])
})

test('a viewer reads what does not work now', async () => {
  expect((await get('/faults')).json).toEqual({ data: [] })
  await api.stores.processes.beat({ id: 'prc_1', program: 'worker', host: 'h', aheadMs: 61_000 })
  const { read } = api.stores.backlog
  api.stores.backlog.read = async () => ({
    ...(await read()),
    scans: [{ chain: 'tron', view: 'head', behindSeconds: 61 }],
  })
  api.rates.current = () => Promise.reject(new Unavailable('rate_source', 'gone'))
  api.clock.step(15_000)
  expect((await get('/faults')).json).toEqual({
    data: [
      { code: 'CLOCK_APART', subject: 'prc_1', detail: 'the worker on h is 61.0 s ahead of the database' },
      { code: 'SCAN_BEHIND', subject: 'tron head', detail: 'the newest scanned block is 61 s old' },
      { code: 'RATE_UNAVAILABLE', subject: 'rates', detail: 'rate_source unavailable: gone' },
    ],
  })
})

test('while the store does not answer, faults are 503', async () => {
  api.stores.backlog.read = () => Promise.reject(new Unavailable('store', 'gone'))
  expect((await get('/faults')).status).toBe(503)
})
