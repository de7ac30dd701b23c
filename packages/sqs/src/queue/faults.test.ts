import { Unavailable } from '@quipu/core'
import { type SqsProxy, startSqsProxy } from '@quipu/simulators'
import { expect, onTestFinished, test } from 'vitest'
import { ensureQueue } from './ensure-queue.ts'
import { connectionTo, deliveries, newName, useFauxqs } from '../sqs.fixture.ts'
import { type SqsWakeQueue, sqsWakeQueue } from './wake-queue.ts'

const fauxqs = useFauxqs()

/** A queue behind a proxy with faults. */
async function open(visibilitySeconds = 60): Promise<{ queue: SqsWakeQueue; proxy: SqsProxy }> {
  const { connection, server } = fauxqs()
  const { queueUrl } = await ensureQueue(connection, newName())
  const proxy = await startSqsProxy({ target: server.address })
  // A timeout would take longer than the test, so that it cannot be why a method is unavailable.
  const to = { ...connectionTo(proxy.url), timeoutSeconds: 3_600 }
  const queue = sqsWakeQueue({ ...to, queueUrl, visibilitySeconds })
  onTestFinished(async () => {
    await queue.stop()
    await proxy.stop()
  })
  return { queue, proxy }
}

const eventsOf = (refs: readonly { readonly eventId: string }[]): readonly string[] =>
  refs.map(({ eventId }) => eventId)

/** Takes and acknowledges `count` messages. */
async function drain(queue: SqsWakeQueue, count: number): Promise<readonly string[]> {
  const events: string[] = []
  while (events.length < count) {
    const messages = await queue.take(10, 5)
    events.push(...eventsOf(messages.map(({ ref }) => ref)))
    await Promise.all(messages.map((message) => message.acknowledge()))
  }
  return events
}

test('a queue that loses messages delivers the others, without an error', async () => {
  const { queue, proxy } = await open()
  const queued = deliveries(30)
  proxy.drop(12)
  expect(await queue.put(queued)).toEqual([])
  const events = await drain(queue, 18)
  expect(eventsOf(queued)).toEqual(expect.arrayContaining([...events]))
  expect(await queue.take(10, 0)).toEqual([])
})

test('a queue that repeats and reorders messages delivers all of them', async () => {
  const { queue, proxy } = await open()
  const queued = deliveries(30)
  proxy.duplicate(7)
  proxy.reorder()
  expect(await queue.put(queued)).toEqual([])
  const events = await drain(queue, 37)
  expect([...new Set(events)].toSorted()).toEqual(eventsOf(queued).toSorted())
})

test('a lost response is requested again: the message is queued, perhaps twice', async () => {
  const { queue, proxy } = await open()
  const [queued] = deliveries(1)
  proxy.loseAnswers(1)
  expect(await queue.put([queued!])).toEqual([])
  expect(new Set(await drain(queue, 2))).toEqual(new Set([queued!.eventId]))
})

test('every method is unavailable while the server is down, and works again afterwards', async () => {
  const { queue, proxy } = await open(1)
  const queued = deliveries(20)
  await queue.put(queued.slice(0, 10))
  const [taken] = await queue.take(1, 5)
  await proxy.down()
  await Promise.all([
    expect(queue.put(queued.slice(10))).rejects.toThrow(Unavailable),
    expect(queue.take(10, 20)).rejects.toThrow(Unavailable),
    expect(taken!.acknowledge()).rejects.toThrow(Unavailable),
  ])
  await proxy.up()
  expect(await queue.put(queued.slice(10))).toEqual([])
  const events = new Set<string>()
  while (events.size < 20) for (const event of await drain(queue, 1)) events.add(event)
  expect([...events].toSorted()).toEqual(eventsOf(queued).toSorted())
})
