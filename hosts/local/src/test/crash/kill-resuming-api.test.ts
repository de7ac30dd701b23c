/** @module-tag long */
import { describe, test } from 'vitest'
import type { JsonReply } from '../../ask-json.ts'
import { deliveryState } from '../harness/deliveries.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { ApiUrls } from '../harness/programs.fixture.ts'
import { type Tenant } from '../harness/tenant.fixture.ts'
import { operatorAt } from '../reconciliation/reconciliation.fixture.ts'
import { openWebhookHarness } from '../harness/webhook-harness.fixture.ts'

const events = 40

type Ask = (api: ApiUrls & Tenant, path: string) => Promise<JsonReply>
const byOperator: Ask = ({ operatorUrl }, path) => {
  const body = path.endsWith('/pause') ? { reason: 'Its host asks us to stop.' } : undefined
  return operatorAt(operatorUrl).post(`/webhook-endpoints${path}`, body)
}
const byTenant: Ask = (api, path) => api.ask('POST', `/v1/webhooks${path}`)

const standing = `
  select w.status, w.generation, quipu.count_queued(w.id)::int as queued from quipu.webhook_endpoint w`

const running = `
  select from pg_stat_activity
  where datname = current_database() and query like '%' || $1 || '%' and pid <> pg_backend_pid()`

/** The ids of the tenant's events, in the order of its log. */
const logged = 'select event_id as id from quipu.payout_end order by ended_at, seq'

describe.concurrent('a paused endpoint receives nothing', () => {
  test.for([
    ['operator', byOperator, 'resume', 'resume_endpoint'],
    ['tenant', byTenant, 'reactivate', 'reactivate_endpoint'],
  ] as const)(
    'its %s resumes it once despite kill -9 of the API, and it receives every event once, in order',
    async ([person, ask, verb, statement], { expect }) => {
      const settings = { WEBHOOK_PER_ENDPOINT: '1', WEBHOOK_CATCH_UP_PER_SECOND: '100000' }
      await using harness = await openWebhookHarness(settings)
      const { database, receiver } = harness
      const [first, worker] = [await harness.startApi(), await harness.startWorker()]
      const id = await harness.register(first)
      expect(await ask(first, `/${id}/pause`)).toMatchObject({ status: 200, json: { paused_by: person } })
      await harness.emitEvents(first, events)
      const paused = [{ status: 'paused', generation: 1, queued: events }]
      expect(await database.query(standing)).toEqual(paused)

      // Kill the API in the open transaction, before its last write.
      const unlock = await database.lockTable('delivery')
      const answered = ask(first, `/${id}/${verb}`).catch(() => 'cut off')
      await database.untilBlocked(statement)
      await first.kill()
      expect(await answered).toBe('cut off')
      await unlock()
      await until('its transaction has ended', async () => (await database.query(running, [statement])).length === 0)
      expect(await database.query(standing)).toEqual(paused)
      expect(receiver.arrivals.size).toBe(0)

      const api = await harness.openApi()
      const resumed = { status: 'active', paused_by: null, requeued: events, redelivered: 0 }
      expect(await ask(api, `/${id}/${verb}`)).toMatchObject({ status: 200, json: resumed })
      await receiver.untilArrived(events)
      worker.signal('SIGTERM')
      expect(await worker.ended).toBe(0)
      const order = await database.query<{ id: string }>(logged)
      expect([...receiver.arrivals.keys()]).toEqual(order.map((event) => event.id))
      expect([...receiver.arrivals.values()].every((arrivals) => arrivals.length === 1)).toBe(true)
      expect(await deliveryState(database).delivered()).toHaveLength(events)
      expect(receiver.rejections).toEqual([])
    },
  )
})
