import { describe, test } from 'vitest'
import { deliveryState } from '../harness/deliveries.fixture.ts'
import { expectAllDelivered } from '../harness/expect-deliveries.fixture.ts'
import { openSqsHarness } from '../harness/sqs-harness.fixture.ts'

describe.concurrent('stop and restart of a worker', () => {
  test.for(['a queue', 'the database'] as const)(
    'SIGTERM during deliveries, woken by %s: the worker records what it sent before it ends',
    async (wokenBy, { expect }) => {
      await using harness = await openSqsHarness()
      const { api, receiver } = harness
      // Long, so that only the first worker can record the deliveries.
      const env = { WEBHOOK_LEASE_SECONDS: '60', WEBHOOK_PER_ENDPOINT: '2' }
      const alone = wokenBy === 'a queue' ? env : { ...env, SQS_QUEUE_URL: '' }
      const release = receiver.holdAnswers()
      const worker = await harness.startWorker(alone)
      await harness.emitEvents(api, 2)
      await receiver.untilArrived(2)
      await harness.emitEvents(api, 2)

      worker.signal('SIGTERM')
      await worker.untilOutput(/worker stopping/)
      expect(worker.isRunning()).toBe(true)
      release()

      expect(await worker.ended).toBe(0)
      const delivered = await deliveryState(harness.database).delivered()
      expect(new Set(delivered)).toEqual(new Set(receiver.arrivals.keys()))
      await harness.startWorker()
      expect(await expectAllDelivered(expect, harness)).toEqual([1, 1, 1, 1])
    },
  )

  test('WEBHOOK_DELIVERY=off: events are queued and lists work; with delivery on all are sent', async ({ expect }) => {
    await using harness = await openSqsHarness()
    const { api, database, receiver, endpoint } = harness
    const off = await harness.startWorker({ WEBHOOK_DELIVERY: 'off' })
    expect(off.output()).toMatch(/"webhooks":false/)
    await harness.emitEvents(api, 10)

    expect((await api.get(`/v1/webhooks/${endpoint}`)).json).toMatchObject({ queued: 10 })
    const { data } = (await api.get('/v1/payouts')).json as { data: { status: string }[] }
    expect(data.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'cancelled'))
    off.signal('SIGTERM')
    expect(await off.ended).toBe(0)
    expect(receiver.arrivals.size).toBe(0)
    expect(await deliveryState(database).leased()).toEqual([])
    for (const table of ['delivery_open', 'delivered_run', 'delivery'])
      expect(await database.query(`select from quipu.${table}`)).toEqual([])

    await harness.startWorker()
    expect(await expectAllDelivered(expect, harness)).toEqual(Array.from({ length: 10 }, () => 1))
  })
})
