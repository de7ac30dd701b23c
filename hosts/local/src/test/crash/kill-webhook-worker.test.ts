import { describe, test } from 'vitest'
import type { DatabaseProbe } from '../harness/database-probe.fixture.ts'
import { deliveryState } from '../harness/deliveries.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { proxy } from '../harness/proxy.fixture.ts'
import { startTestSqs } from '../harness/sqs.fixture.ts'
import { expectAllDelivered } from '../harness/expect-deliveries.fixture.ts'
import { openWebhookHarness } from '../harness/webhook-harness.fixture.ts'

const events = 3
const once = [1, 1, 1]
const twice = [2, 2, 2]

/** No machine is so busy that it ends before its worker is killed. */
const longLease = { WEBHOOK_LEASE_SECONDS: '600' }

const recordings = `
  select pid, pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%record_runs%'`

const untilLeased = (database: DatabaseProbe): Promise<unknown> =>
  until('all events are leased', async () => {
    const leased = await deliveryState(database).leased()
    return leased.length === events
  })

describe.concurrent('kill -9 of a worker that delivers webhooks', () => {
  // The slowest test comes first, because concurrency is limited.
  test('after recording, before the queue messages are deleted: events are not sent again', async ({ expect }) => {
    await using harness = await openWebhookHarness()
    await using resources = new AsyncDisposableStack()
    const sqs = resources.adopt(await startTestSqs(), (it) => it.stop())
    const api = await harness.openApi()
    await harness.register(api)
    const release = harness.receiver.holdAnswers()
    const worker = await harness.startWorker(sqs.env)
    await harness.emitEvents(api, events)
    await harness.receiver.untilArrived(events)
    await sqs.proxy.down()
    release()
    expect(await expectAllDelivered(expect, harness)).toEqual(once)

    await worker.kill()
    await sqs.proxy.up()
    await harness.startWorker(sqs.env)

    await sqs.untilEmpty()
    expect(await expectAllDelivered(expect, harness)).toEqual(once)
  })

  test('after the claim, before sending: the next worker sends', async ({ expect }) => {
    await using harness = await openWebhookHarness(longLease)
    const api = await harness.openApi()
    await using resources = new AsyncDisposableStack()
    const webhookProxy = resources.adopt(await proxy(harness.receiver.url), (it) => it.stop())
    // The proxy drops the TLS handshake, so no request is sent.
    const id = await harness.register(api, webhookProxy.url.replace('http:', 'https:'))
    const dropped = webhookProxy.dropRequests()
    const worker = await harness.startWorker()
    await harness.emitEvents(api, events)
    await Promise.all([dropped, untilLeased(harness.database)])

    await worker.kill()
    await deliveryState(harness.database).endLeases()
    await api.ask('PATCH', `/v1/webhooks/${id}`, { url: harness.receiver.url })
    await harness.openWorker()

    expect(await expectAllDelivered(expect, harness)).toEqual(once)
  })

  test('before the requests arrive: the next worker sends them', async ({ expect }) => {
    await using harness = await openWebhookHarness(longLease)
    const api = await harness.openApi()
    await using resources = new AsyncDisposableStack()
    const webhookProxy = resources.adopt(await proxy(harness.receiver.url), (it) => it.stop())
    await harness.register(api, `${webhookProxy.url}/quipu`)
    const dropped = webhookProxy.dropRequests()
    const worker = await harness.startWorker()
    await harness.emitEvents(api, events)
    await Promise.all([dropped, untilLeased(harness.database)])

    await worker.kill()
    await deliveryState(harness.database).endLeases()
    webhookProxy.forward()
    await harness.openWorker()

    expect(await expectAllDelivered(expect, harness)).toEqual(once)
  })

  test.for(['a queue', 'the database'] as const)(
    'before the receiver answers, woken by %s: the same bytes are sent again',
    async (wokenBy, { expect }) => {
      await using harness = await openWebhookHarness(wokenBy === 'a queue' ? {} : longLease)
      await using resources = new AsyncDisposableStack()
      const sqs = resources.adopt(await startTestSqs(), (it) => it.stop())
      const env = wokenBy === 'a queue' ? sqs.env : {}
      const api = await harness.openApi()
      await harness.register(api)
      const release = harness.receiver.holdAnswers()
      const worker = await harness.startWorker(env)
      await harness.emitEvents(api, events)
      await harness.receiver.untilArrived(events)

      await worker.kill()
      release()
      await deliveryState(harness.database).endLeases()
      await harness.startWorker(env)

      expect(await expectAllDelivered(expect, harness)).toEqual(twice)
    },
  )

  test.for([
    ['lost: the same bytes are sent again', true, twice],
    ['still committed: the event is not sent again', false, [1]],
  ] as const)('while recording the answers, when the record is %s', async ([, isLost, times], { expect }) => {
    await using harness = await openWebhookHarness(longLease)
    const api = await harness.openApi()
    await harness.register(api)
    const release = harness.receiver.holdAnswers()
    const worker = await harness.startWorker()
    await harness.emitEvents(api, times.length)
    await harness.receiver.untilArrived(times.length)
    const unlock = await harness.database.lockTable('delivery_run')
    release()
    await harness.database.untilBlocked('record_runs')

    await worker.kill()
    if (isLost) expect(await harness.database.query(recordings)).not.toEqual([])
    await unlock()
    if (isLost) await deliveryState(harness.database).endLeases()
    await harness.openWorker()

    expect(await expectAllDelivered(expect, harness)).toEqual(times)
  })
})
