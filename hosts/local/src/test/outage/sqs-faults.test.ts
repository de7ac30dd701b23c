import { describe, test } from 'vitest'
import { deliveryState } from '../harness/deliveries.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { startTestSqs, type TestSqs } from '../harness/sqs.fixture.ts'
import { expectAllDelivered } from '../harness/expect-deliveries.fixture.ts'
import { openWebhookHarness, type WebhookHarness } from '../harness/webhook-harness.fixture.ts'

async function openSqsHarness() {
  const resources = new AsyncDisposableStack()
  const sqs = resources.adopt(await startTestSqs(), (it) => it.stop())
  const harness = resources.use(await openWebhookHarness(sqs.env))
  const [dispose, api] = [() => resources.disposeAsync(), await harness.openApi()]
  const endpoint = await harness.register(api)
  return { ...harness, sqs, api, endpoint, [Symbol.asyncDispose]: dispose }
}

/** Waits until a message passes through the queue. Duplicates all messages, in order to count them. */
const untilMessagesPass = async (
  { proxy }: TestSqs,
  harness: WebhookHarness,
  emitEvents: () => Promise<unknown>,
): Promise<void> => {
  const before = proxy.counts().duplicated
  proxy.duplicate(1_000)
  await until('a message is sent through the queue', async () => {
    await emitEvents()
    await harness.receiver.untilArrived(1)
    return proxy.counts().duplicated > before
  })
}

describe.concurrent('webhooks over SQS', () => {
  test('lost, duplicated and reordered messages: two workers send each event once', async ({
    expect,
  }) => {
    await using harness = await openSqsHarness()
    const { api, sqs } = harness
    sqs.proxy.drop(3)
    sqs.proxy.duplicate(8)
    sqs.proxy.reorder()
    await Promise.all([harness.startWorker(), harness.startWorker()])

    await harness.emitEvents(api, 32)

    const times = await expectAllDelivered(expect, harness)
    expect(times).toEqual(Array.from({ length: 32 }, () => 1))
    expect(sqs.proxy.counts()).toEqual({ dropped: 3, duplicated: 8 })
  })

  test('events arrive during an SQS outage, and go through SQS again afterwards', async ({
    expect,
  }) => {
    await using harness = await openSqsHarness()
    const { api, sqs } = harness
    await harness.startWorker()
    await untilMessagesPass(sqs, harness, () => harness.emitEvents(api, 1))

    await sqs.proxy.down()
    const before = harness.receiver.arrivals.size
    await harness.emitEvents(api, 20)
    await harness.receiver.untilArrived(before + 20)

    await sqs.proxy.up()
    await untilMessagesPass(sqs, harness, () => harness.emitEvents(api, 1))
    await expectAllDelivered(expect, harness)
  })

  test('a worker that starts during an SQS outage sends events', async ({ expect }) => {
    await using harness = await openSqsHarness()
    await harness.sqs.proxy.down()
    await harness.emitEvents(harness.api, 5)

    await harness.startWorker()

    expect(await expectAllDelivered(expect, harness)).toEqual([1, 1, 1, 1, 1])
  })

  test('every event arrives when answers of SQS are lost', async ({ expect }) => {
    await using harness = await openSqsHarness()
    await harness.emitEvents(harness.api, 10)
    harness.sqs.proxy.loseAnswers(4)

    await harness.startWorker()

    expect(await expectAllDelivered(expect, harness)).toHaveLength(10)
  })
})

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

  test('WEBHOOK_DELIVERY=off: events are queued and lists work; with delivery on all are sent', async ({
    expect,
  }) => {
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
