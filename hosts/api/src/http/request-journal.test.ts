import { Unavailable } from '@quipu/core'
import type { RequestRecord } from '@quipu/core/operator'
import { systemIds } from '@quipu/core/system'
import { prometheusMetrics } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { steppedClock } from '../test/harness/clock.fixture.ts'
import type { RequestEnd } from './context.ts'
import { requestJournal } from './request-journal.ts'

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const end = (requestId: number, over: Partial<RequestEnd> = {}): RequestEnd => ({
  requestId: String(requestId),
  loggedId: String(requestId),
  traceId: undefined,
  address: '192.0.2.1',
  tenantId: 'ten_1',
  keyId: 'key_1',
  payoutId: undefined,
  operator: undefined,
  code: undefined,
  bodyDigest: undefined,
  answerDigest: undefined,
  cause: undefined,
  method: 'GET',
  path: '/v1/wallets',
  route: '/v1/wallets',
  routeMethod: 'GET',
  status: 200,
  durationMs: 40,
  aborted: false,
  ...over,
})

/** A journal over a store that can be down. */
function journalOver() {
  const clock = steppedClock()
  const writes: (readonly RequestRecord[])[] = []
  const state: { error: Error | undefined } = { error: undefined }
  const record = async (requests: readonly RequestRecord[]) => {
    if (state.error !== undefined) throw state.error
    writes.push(requests)
  }
  const metrics = prometheusMetrics()
  const journal = requestJournal({ store: { record }, now: clock.now, ids: systemIds }, metrics)
  const dropped = async () => Number(/_unlogged_total (\d+)/.exec(await metrics.text())?.[1])
  return { journal, clock, writes, state, dropped }
}

test('the requests of a second are one write, each dated when it arrived', async () => {
  const { journal, clock, writes } = journalOver()
  const errors: unknown[] = []
  const loop = journal.write({ timer: clock.timer, report: (error) => errors.push(error) })
  await turns()
  journal.add(end(1))
  journal.add(end(2, { tenantId: undefined, keyId: undefined }))
  journal.add(end(3, { aborted: true, code: 'SERVICE_UNAVAILABLE' }))
  await turns()
  expect(writes).toEqual([])
  const createdAt = new Date(clock.now().getTime() - 40)
  clock.step(1_000)
  await turns()
  expect(writes).toMatchObject([
    [
      { requestId: '1', status: 200, code: null, createdAt },
      { requestId: '3', status: null, code: 'SERVICE_UNAVAILABLE' },
    ],
  ])
  journal.add(end(4))
  await loop.stop()
  expect(writes.at(-1)).toMatchObject([{ requestId: '4' }])
  expect(errors).toEqual([])
})

test('without the database requests wait, and the oldest are dropped and counted when there are too many', async () => {
  const { journal, clock, writes, state, dropped } = journalOver()
  state.error = new Unavailable('store', 'test')
  for (let n = 0; n < 10_000; n++) journal.add(end(n))
  await expect(journal.flush()).rejects.toBe(state.error)
  expect(await dropped()).toBe(0)
  journal.add(end(10_000))
  expect(await dropped()).toBe(1_000)
  const errors: unknown[] = []
  const loop = journal.write({ timer: clock.timer, report: (error) => errors.push(error) })
  await turns()
  expect(errors).toEqual([])
  state.error = undefined
  await loop.stop()
  expect(writes.map(({ length }) => length)).toEqual([...Array.from({ length: 9 }, () => 1_000), 1])
  expect(writes.flat().map(({ requestId }) => Number(requestId))).toEqual(
    Array.from({ length: 9_001 }, (_, n) => n + 1_000),
  )
})
