import { Unavailable } from '@quipu/core'
import { type SqsProxy, startSqsProxy } from '@quipu/simulators'
import { expect, onTestFinished, test } from 'vitest'
import { ensureQueue } from './ensure-queue.ts'
import { connectionTo, deliveries, newName, useFauxqs } from '../sqs.fixture.ts'
import { type SqsWakeQueue, sqsWakeQueue } from './wake-queue.ts'

const fauxqs = useFauxqs()

/** A queue that is reached through a proxy. */
async function open(visibilitySeconds = 60): Promise<{ queue: SqsWakeQueue; proxy: SqsProxy }> {
  const { connection, server } = fauxqs()
  const { queueUrl } = await ensureQueue(connection, newName())
  const proxy = await startSqsProxy({ target: server.address })
  const queue = sqsWakeQueue({ ...connectionTo(proxy.url), queueUrl, visibilitySeconds })
  onTestFinished(async () => {
    await queue.stop()
    await proxy.stop()
  })
  return { queue, proxy }
}

const eventsOf = (refs: readonly { readonly eventId: string }[]): readonly string[] =>
  refs.map(({ eventId }) => eventId)

/** Takes and acknowledges so many. */
async function drain(queue: SqsWakeQueue, count: number): Promise<readonly string[]> {
  const events: string[] = []
  while (events.length < count) {
    const messages = await queue.take(10, 5)
    events.push(...eventsOf(messages.map(({ ref }) => ref)))
    await Promise.all(messages.map((message) => message.acknowledge()))
  }
  return events
}

test('a queue that loses messages says nothing, and gives the others', async () => {
  const { queue, proxy } = await open()
  const given = deliveries(30)
  proxy.drop(12)
  expect(await queue.put(given)).toEqual([])
  const events = await drain(queue, 18)
  expect(eventsOf(given)).toEqual(expect.arrayContaining([...events]))
  expect(await queue.take(10, 0)).toEqual([])
})

test('a queue that repeats and reorders messages gives every one of them', async () => {
  const { queue, proxy } = await open()
  const given = deliveries(30)
  proxy.duplicate(7)
  proxy.reorder()
  expect(await queue.put(given)).toEqual([])
  const events = await drain(queue, 37)
  expect([...new Set(events)].toSorted()).toEqual(eventsOf(given).toSorted())
})

test('an answer that is lost is asked for again: the message is there, perhaps twice', async () => {
  const { queue, proxy } = await open()
  const [given] = deliveries(1)
  proxy.loseAnswers(1)
  expect(await queue.put([given!])).toEqual([])
  expect(new Set(await drain(queue, 2))).toEqual(new Set([given!.eventId]))
})

test('while the server is down every method is unavailable soon, and all is well afterwards', async () => {
  const { queue, proxy } = await open(1)
  const given = deliveries(20)
  await queue.put(given.slice(0, 10))
  const [held] = await queue.take(1, 5)
  await proxy.down()
  await Promise.all([
    expect(queue.put(given.slice(10))).rejects.toThrow(Unavailable),
    expect(queue.take(10, 20)).rejects.toThrow(Unavailable),
    expect(held!.acknowledge()).rejects.toThrow(Unavailable),
  ])
  await proxy.up()
  expect(await queue.put(given.slice(10))).toEqual([])
  const events = new Set<string>()
  while (events.size < 20) for (const event of await drain(queue, 1)) events.add(event)
  expect([...events].toSorted()).toEqual(eventsOf(given).toSorted())
}, 10_000)

test('a wait is over when the server goes down', async () => {
  const { queue, proxy } = await open()
  await Promise.all([expect(queue.take(10, 20)).rejects.toThrow(Unavailable), proxy.down()])
}, 10_000)
