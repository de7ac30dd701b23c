import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { ensureQueue } from './ensure-queue.ts'
import { connectionTo, newName, useFauxqs } from '../sqs.fixture.ts'

const fauxqs = useFauxqs()

const policyOf = (name: string): unknown =>
  JSON.parse(fauxqs().server.inspectQueue(name)?.attributes['RedrivePolicy'] ?? 'null')

test('creates a queue, and a dead-letter queue that keeps messages for two weeks', async () => {
  const { server, connection } = fauxqs()
  const name = newName()
  const { queueUrl, deadLetterUrl } = await ensureQueue(connection, name)
  expect([queueUrl, deadLetterUrl].map((url) => url.split('/').at(-1))).toEqual([name, `${name}-dead-letters`])
  const letters = server.inspectQueue(`${name}-dead-letters`)
  expect(letters?.attributes['MessageRetentionPeriod']).toBe('1209600')
  expect(policyOf(name)).toEqual({ deadLetterTargetArn: letters?.arn, maxReceiveCount: 5 })
})

test('repeated and concurrent calls change nothing', async () => {
  const { server, connection } = fauxqs()
  const name = newName()
  const urls = await ensureQueue(connection, name)
  server.sendMessage(name, 'still there')
  const again = await Promise.all(Array.from({ length: 5 }, () => ensureQueue(connection, name)))
  expect(again).toEqual(Array.from({ length: 5 }, () => urls))
  expect(server.inspectQueue(name)?.messages.ready).toHaveLength(1)
})

test('adds a dead-letter queue to an existing queue, and updates maxReceiveCount', async () => {
  const { server, connection } = fauxqs()
  const name = newName()
  server.createQueue(name, { attributes: { VisibilityTimeout: '7' } })
  for (const maxReceiveCount of [3, 9]) {
    await ensureQueue(connection, name, { maxReceiveCount })
    expect(policyOf(name)).toMatchObject({ maxReceiveCount })
  }
  expect(server.inspectQueue(name)?.attributes['VisibilityTimeout']).toBe('7')
})

test('is unavailable without a server', async () => {
  await expect(ensureQueue(connectionTo('http://127.0.0.1:1'), newName())).rejects.toThrow(Unavailable)
})
