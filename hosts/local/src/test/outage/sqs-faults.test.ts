import { describe, test } from 'vitest'
import { standingDeliveries } from '../harness/deliveries.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { startTestSqs, type TestSqs } from '../harness/sqs.fixture.ts'
import { expectAllTold } from '../harness/expect-deliveries.fixture.ts'
import { openWebhookWorld, type WebhookWorld } from '../harness/webhook-harness.fixture.ts'

async function openQueueWorld() {
  const things = new AsyncDisposableStack()
  const sqs = things.adopt(await startTestSqs(), (it) => it.stop())
  const world = things.use(await openWebhookWorld(sqs.env))
  const [dispose, api] = [() => things.disposeAsync(), await world.openApi()]
  const endpoint = await world.register(api)
  return { ...world, sqs, api, endpoint, [Symbol.asyncDispose]: dispose }
}

/** Whether messages pass: from now on each of them is doubled, which harms nobody, and counted. */
const untilMessagesPass = async (
  { proxy }: TestSqs,
  world: WebhookWorld,
  happen: () => Promise<unknown>,
): Promise<void> => {
  const before = proxy.counts().duplicated
  proxy.duplicate(1_000)
  await until('a message is sent through the queue', async () => {
    await happen()
    await world.receiver.untilArrived(1)
    return proxy.counts().duplicated > before
  })
}

describe.concurrent('webhooks over SQS', () => {
  test('messages are lost, doubled and reordered: two workers send each event, once', async ({
    expect,
  }) => {
    await using world = await openQueueWorld()
    const { api, sqs } = world
    sqs.proxy.drop(3)
    sqs.proxy.duplicate(8)
    sqs.proxy.reorder()
    await Promise.all([world.startWorker(), world.startWorker()])

    await world.happen(api, 32)

    const times = await expectAllTold(expect, world)
    expect(times).toEqual(Array.from({ length: 32 }, () => 1))
    expect(sqs.proxy.counts()).toEqual({ dropped: 3, duplicated: 8 })
  })

  test('while SQS is down events arrive all the same, and go through it again afterwards', async ({
    expect,
  }) => {
    await using world = await openQueueWorld()
    const { api, sqs } = world
    await world.startWorker()
    await untilMessagesPass(sqs, world, () => world.happen(api, 1))

    await sqs.proxy.down()
    const before = world.receiver.arrivals.size
    await world.happen(api, 20)
    await world.receiver.untilArrived(before + 20)

    await sqs.proxy.up()
    await untilMessagesPass(sqs, world, () => world.happen(api, 1))
    await expectAllTold(expect, world)
  })

  test('SQS is down before a worker starts: it sends without it', async ({ expect }) => {
    await using world = await openQueueWorld()
    await world.sqs.proxy.down()
    await world.happen(world.api, 5)

    await world.startWorker()

    expect(await expectAllTold(expect, world)).toEqual([1, 1, 1, 1, 1])
  })

  test('answers of SQS are lost: every event arrives all the same', async ({ expect }) => {
    await using world = await openQueueWorld()
    await world.happen(world.api, 10)
    world.sqs.proxy.loseAnswers(4)

    await world.startWorker()

    expect(await expectAllTold(expect, world)).toHaveLength(10)
  })
})

describe.concurrent('stopping and starting', () => {
  test.for(['a queue', 'the database'] as const)(
    'SIGTERM in mid-delivery, woken by %s: what was sent is on record before the worker is gone',
    async (wokenBy, { expect }) => {
      await using world = await openQueueWorld()
      const { api, receiver } = world
      // A lease that a slow machine does not outlive: the record must be the first worker's.
      const env = { WEBHOOK_LEASE_SECONDS: '60', WEBHOOK_PER_ENDPOINT: '2' }
      const alone = wokenBy === 'a queue' ? env : { ...env, SQS_QUEUE_URL: '' }
      const release = receiver.hold()
      const worker = await world.startWorker(alone)
      await world.happen(api, 2)
      await receiver.untilArrived(2)
      await world.happen(api, 2)

      worker.signal('SIGTERM')
      await worker.says(/worker stopping/)
      expect(worker.isRunning()).toBe(true)
      release()

      expect(await worker.ended).toBe(0)
      const delivered = await standingDeliveries(world.database).delivered()
      expect(new Set(delivered)).toEqual(new Set(receiver.arrivals.keys()))
      await world.startWorker()
      expect(await expectAllTold(expect, world)).toEqual([1, 1, 1, 1])
    },
  )

  test('WEBHOOK_DELIVERY=off: events queue and polling works; turning it on sends everything', async ({
    expect,
  }) => {
    await using world = await openQueueWorld()
    const { api, database, receiver, endpoint } = world
    const off = await world.startWorker({ WEBHOOK_DELIVERY: 'off' })
    expect(off.output()).toMatch(/"webhooks":false/)
    await world.happen(api, 10)

    expect((await api.get(`/v1/webhooks/${endpoint}`)).json).toMatchObject({ queued: 10 })
    const { data } = (await api.get('/v1/payouts')).json as { data: { status: string }[] }
    expect(data.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'cancelled'))
    off.signal('SIGTERM')
    expect(await off.ended).toBe(0)
    expect(receiver.arrivals.size).toBe(0)
    expect(await standingDeliveries(database).leased()).toEqual([])
    for (const table of ['delivery_open', 'delivered_run', 'delivery'])
      expect(await database.query(`select from quipu.${table}`)).toEqual([])

    await world.startWorker()
    expect(await expectAllTold(expect, world)).toEqual(Array.from({ length: 10 }, () => 1))
  })
})
