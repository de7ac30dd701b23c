import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { newName, useFauxqs } from '../sqs.fixture.ts'
import { ensureQueue } from './ensure-queue.ts'
import { queueAttributes } from './queue-attributes.ts'

const fauxqs = useFauxqs()

test('reads what was set when the queue was created, and the messages that wait', async () => {
  const { server, connection } = fauxqs()
  const name = newName()
  const { queueUrl, deadLetterUrl } = await ensureQueue(connection, name)
  server.sendMessage(name, 'x')
  const letters = await queueAttributes(connection, deadLetterUrl)
  expect(letters).toMatchObject({ deadLetterArn: undefined, messages: 0 })
  expect(await queueAttributes(connection, queueUrl)).toEqual({
    arn: expect.stringMatching(new RegExp(`:${name}$`)),
    messages: 1,
    delaySeconds: 0,
    isFifo: false,
    deadLetterArn: letters.arn,
  })
})

test('reads the delay of a queue of others, and that a queue is FIFO', async () => {
  const { server, connection } = fauxqs()
  const names = [newName(), `${newName()}.fifo`] as const
  server.createQueue(names[0], { attributes: { DelaySeconds: '900' } })
  server.createQueue(names[1], { attributes: { FifoQueue: 'true' } })
  const [delayed, fifo] = await Promise.all(
    names.map((name) => queueAttributes(connection, `${connection.endpoint}/000000000000/${name}`)),
  )
  expect(delayed).toMatchObject({ delaySeconds: 900, isFifo: false })
  expect(fifo).toMatchObject({ isFifo: true })
})

test('a queue that does not exist is unavailable', async () => {
  const { connection } = fauxqs()
  await expect(queueAttributes(connection, `${connection.endpoint}/000000000000/none`)).rejects.toThrow(Unavailable)
})
