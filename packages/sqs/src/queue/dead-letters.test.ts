import { createHash } from 'node:crypto'
import { Unavailable } from '@quipu/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type DeadLetters, deadLetters } from './dead-letters.ts'
import { ensureQueue, type QueueUrls } from './ensure-queue.ts'
import { deliveries, newName, refOf, startScripted, useFauxqs } from '../sqs.fixture.ts'
import { type SqsWakeQueue, sqsWakeQueue } from './wake-queue.ts'

const fauxqs = useFauxqs()

type Opened = { name: string; urls: QueueUrls; queue: SqsWakeQueue; letters: DeadLetters }

/** A queue whose messages become dead letters after one receipt. */
async function open(): Promise<Opened> {
  const { connection } = fauxqs()
  const name = newName()
  const urls = await ensureQueue(connection, name, { maxReceiveCount: 1 })
  const queue = sqsWakeQueue({ ...connection, ...urls, visibilitySeconds: 1 })
  const letters = deadLetters({ ...connection, ...urls })
  onTestFinished(async () => {
    await Promise.all([queue.stop(), letters.stop()])
  })
  return { name, urls, queue, letters }
}

/** Receives messages without acknowledging them, until all are dead letters. */
async function exhaust({ queue, letters }: Opened, count: number): Promise<void> {
  while ((await letters.count()) < count) await queue.take(10, 1)
}

test('an unacknowledged message becomes a dead letter, and is received again after a redrive', async () => {
  const opened = await open()
  const { queue, letters } = opened
  const queued = deliveries(23)
  await queue.put(queued)
  expect(await letters.count()).toBe(0)
  await exhaust(opened, 23)
  expect(await letters.redrive()).toBe(23)
  expect(await letters.count()).toBe(0)
  const events = new Set<string>()
  while (events.size < 23) {
    for (const message of await queue.take(10, 5)) {
      events.add(message.ref.eventId)
      await message.acknowledge()
    }
  }
  expect([...events].toSorted()).toEqual(
    queued
      .map(refOf)
      .map(({ eventId }) => eventId)
      .toSorted(),
  )
})

test('a redrive stops at its limit', async () => {
  const { server } = fauxqs()
  const { name, letters } = await open()
  for (let i = 0; i < 30; i++) server.sendMessage(`${name}-dead-letters`, String(i))
  expect(await letters.redrive(20)).toBe(20)
  expect(await letters.count()).toBe(10)
})

test('a redrive without dead letters moves none', async () => {
  const { letters } = await open()
  expect(await letters.redrive()).toBe(0)
})

test('a message that cannot be sent stays a dead letter', async () => {
  const { server, connection } = fauxqs()
  const { name, urls } = await open()
  const letters = deadLetters({ ...connection, ...urls, queueUrl: `${urls.queueUrl}-missing` })
  onTestFinished(letters.stop)
  server.sendMessage(`${name}-dead-letters`, 'x')
  await expect(letters.redrive()).rejects.toThrow(Unavailable)
  expect(server.inspectQueue(`${name}-dead-letters`)?.messages.inflight).toHaveLength(1)
})

const md5OfX = createHash('md5').update('x').digest('hex')

test('of several messages only those that were sent are deleted', async () => {
  const deleted: unknown[] = []
  const report = vi.fn()
  const letters = ['1', '2', '3'].map((id) => ({ MessageId: id, ReceiptHandle: id, Body: 'x', MD5OfBody: md5OfX }))
  const sent = ['0', '2'].map((Id) => ({ Id, MessageId: Id, MD5OfMessageBody: md5OfX }))
  const connection = await startScripted((action, { Entries }) => {
    if (action === 'ReceiveMessage') return { Messages: letters.splice(0) }
    if (action === 'SendMessageBatch')
      return { Successful: sent, Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }] }
    deleted.push(...Entries.map(({ ReceiptHandle }) => ReceiptHandle))
    return { Successful: Entries.map(({ Id }) => ({ Id })) }
  })
  const [queueUrl, deadLetterUrl] = ['http://x/1/a', 'http://x/1/b']
  const opened = deadLetters({ ...connection, queueUrl, deadLetterUrl, report })
  onTestFinished(opened.stop)
  expect(await opened.redrive()).toBe(2)
  expect(deleted).toEqual(['1', '3'])
  expect(report).toHaveBeenCalledOnce()
})

test('a server that closes the connection is unavailable', async () => {
  const connection = await startScripted(() => 'cut')
  const letters = deadLetters({ ...connection, queueUrl: 'http://x/1/a', deadLetterUrl: 'http://x/1/b' })
  onTestFinished(letters.stop)
  await expect(letters.count()).rejects.toThrow(Unavailable)
  await expect(letters.redrive()).rejects.toThrow(Unavailable)
})
