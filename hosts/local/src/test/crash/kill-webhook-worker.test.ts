import { describe, test } from 'vitest'
import type { DatabaseProbe } from '../harness/database-probe.fixture.ts'
import { standingDeliveries } from '../harness/deliveries.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { proxy } from '../harness/proxy.fixture.ts'
import { startTestSqs } from '../harness/sqs.fixture.ts'
import { expectAllTold } from '../harness/expect-deliveries.fixture.ts'
import { openWebhookWorld } from '../harness/webhook-harness.fixture.ts'

const events = 3
const once = [1, 1, 1]
const twice = [2, 2, 2]

const recordings = `
  select pid, pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%record_runs%'`

const untilLeased = (database: DatabaseProbe): Promise<unknown> =>
  until('all are claimed', async () => {
    const leased = await standingDeliveries(database).leased()
    return leased.length === events
  })

describe.concurrent('kill -9 of the worker', () => {
  // The slowest first, since only some run side by side.
  test('when they are on record, before the queue forgets them: they do not come again', async ({
    expect,
  }) => {
    await using world = await openWebhookWorld()
    await using things = new AsyncDisposableStack()
    const sqs = things.adopt(await startTestSqs(), (it) => it.stop())
    const api = await world.openApi()
    await world.register(api)
    const release = world.receiver.hold()
    const worker = await world.startWorker(sqs.env)
    await world.happen(api, events)
    await world.receiver.untilArrived(events)
    await sqs.proxy.down()
    release()
    expect(await expectAllTold(expect, world)).toEqual(once)

    await worker.kill()
    await sqs.proxy.up()
    await world.startWorker(sqs.env)

    await sqs.untilEmpty()
    expect(await expectAllTold(expect, world)).toEqual(once)
  })

  test('when it has claimed and sent nothing yet: the next one sends', async ({ expect }) => {
    await using world = await openWebhookWorld()
    const api = await world.openApi()
    await using things = new AsyncDisposableStack()
    const wire = things.adopt(await proxy(world.receiver.url), (it) => it.stop())
    // Before a request there is a handshake, and that gets no further than this wire.
    const id = await world.register(api, wire.url.replace('http:', 'https:'))
    const swallowed = wire.swallow()
    const worker = await world.startWorker()
    await world.happen(api, events)
    await Promise.all([swallowed, untilLeased(world.database)])

    await worker.kill()
    await api.ask('PATCH', `/v1/webhooks/${id}`, { url: world.receiver.url })
    world.openWorker()

    expect(await expectAllTold(expect, world)).toEqual(once)
  })

  test('while the requests are on their way: the next one sends them', async ({ expect }) => {
    await using world = await openWebhookWorld()
    const api = await world.openApi()
    await using things = new AsyncDisposableStack()
    const wire = things.adopt(await proxy(world.receiver.url), (it) => it.stop())
    await world.register(api, `${wire.url}/quipu`)
    const swallowed = wire.swallow()
    const worker = await world.startWorker()
    await world.happen(api, events)
    await Promise.all([swallowed, untilLeased(world.database)])

    await worker.kill()
    wire.pass()
    world.openWorker()

    expect(await expectAllTold(expect, world)).toEqual(once)
  })

  test.for(['a queue', 'the database'] as const)(
    'when they have arrived and are not answered yet, woken by %s: they come again, the same bytes',
    async (wokenBy, { expect }) => {
      await using world = await openWebhookWorld()
      await using things = new AsyncDisposableStack()
      const sqs = things.adopt(await startTestSqs(), (it) => it.stop())
      const env = wokenBy === 'a queue' ? sqs.env : {}
      const api = await world.openApi()
      await world.register(api)
      const release = world.receiver.hold()
      const worker = await world.startWorker(env)
      await world.happen(api, events)
      await world.receiver.untilArrived(events)

      await worker.kill()
      release()
      await world.startWorker(env)

      expect(await expectAllTold(expect, world)).toEqual(twice)
    },
  )

  test.for([
    ['lost: they come again, the same bytes', true, twice],
    ['made by the database after all: it does not come again', false, [1]],
  ] as const)(
    'when they are answered, and the record is %s',
    async ([, isLost, times], { expect }) => {
      await using world = await openWebhookWorld()
      const api = await world.openApi()
      await world.register(api)
      const release = world.receiver.hold()
      const worker = await world.startWorker()
      await world.happen(api, times.length)
      await world.receiver.untilArrived(times.length)
      const unlock = await world.database.lockTable('delivery_run')
      release()
      await world.database.untilBlocked('record_runs')

      await worker.kill()
      if (isLost) expect(await world.database.query(recordings)).not.toEqual([])
      await unlock()
      world.openWorker()

      expect(await expectAllTold(expect, world)).toEqual(times)
    },
  )
})
