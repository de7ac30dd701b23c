import { expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { deliveryState } from '../harness/deliveries.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { ApiUrls } from '../harness/programs.fixture.ts'
import { operatorToken } from '../harness/tenant.fixture.ts'
import { learnedFrom } from '../faults/faults.fixture.ts'
import { openWebhookHarness } from '../harness/webhook-harness.fixture.ts'

const events = 40
const reason = 'Its host asks us to stop.'
const headers = { authorization: `Bearer ${operatorToken}` }

const ask = ({ operatorUrl }: ApiUrls, method: 'GET' | 'POST', path: string, body?: unknown) =>
  askJson(operatorUrl, { method, path: `/operator/v1/webhook-endpoints${path}`, body, headers })

const standing = `
  select w.status, w.operator_paused_by as by, w.generation, quipu.count_queued(w.id)::int as queued
  from quipu.webhook_endpoint w`

const resuming = `
  select from pg_stat_activity
  where datname = current_database() and query like '%resume_endpoint%' and pid <> pg_backend_pid()`

const untilPaused = ({ operatorUrl }: ApiUrls, count: number): Promise<boolean> =>
  learnedFrom(operatorUrl).untilMetric('quipu_webhook_endpoints_paused', (value) => value === count)

/** The ids of the tenant's events, in the order of its log. */
const logged = 'select event_id as id from quipu.payout_end order by ended_at, seq'

test('a paused endpoint receives nothing; it is resumed once despite kill -9, and receives every event once, in order', async () => {
  await using harness = await openWebhookHarness({ WEBHOOK_PER_ENDPOINT: '1', WEBHOOK_CATCH_UP_PER_SECOND: '100000' })
  const { database, receiver } = harness
  const [first, worker] = [await harness.startApi(), await harness.startWorker()]
  const id = await harness.register(first)
  await untilPaused(first, 0)
  expect(await ask(first, 'POST', `/${id}/pause`, { reason })).toMatchObject({
    status: 200,
    json: { status: 'paused', paused_by: 'operator' },
  })
  await untilPaused(first, 1)
  await harness.emitEvents(first, events)
  const paused = [{ status: 'paused', by: 'olivia', generation: 1, queued: events }]
  expect(await database.query(standing)).toEqual(paused)

  // Kill the API in the open transaction, before its last write.
  const unlock = await database.lockTable('delivery')
  const answered = ask(first, 'POST', `/${id}/resume`).catch(() => 'cut off')
  await database.untilBlocked('resume_endpoint')
  await first.kill()
  expect(await answered).toBe('cut off')
  await unlock()
  await until('its transaction has ended', async () => {
    const running = await database.query(resuming)
    return running.length === 0
  })
  expect(await database.query(standing)).toEqual(paused)
  expect(receiver.arrivals.size).toBe(0)

  const api = await harness.openApi()
  expect(await ask(api, 'POST', `/${id}/resume`)).toMatchObject({
    json: { status: 'active', paused_by: null, requeued: events, redelivered: 0 },
  })
  await untilPaused(api, 0)
  await receiver.untilArrived(events)
  worker.signal('SIGTERM')
  expect(await worker.ended).toBe(0)
  const order = await database.query<{ id: string }>(logged)
  expect([...receiver.arrivals.keys()]).toEqual(order.map((event) => event.id))
  expect([...receiver.arrivals.values()].every((arrivals) => arrivals.length === 1)).toBe(true)
  expect(await deliveryState(database).delivered()).toHaveLength(events)
  expect(receiver.rejections).toEqual([])
})
