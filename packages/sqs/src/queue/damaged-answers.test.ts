import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Unavailable } from '@quipu/core'
import type { WakeMessage } from '@quipu/core/adapter'
import { damagedBytes, damageKinds } from '@quipu/simulators'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { bodyOf } from './message-body.ts'
import { sqsWakeQueue } from './wake-queue.ts'
import { type BatchRequest, connectionTo, delivery, refOf } from '../sqs.fixture.ts'

const refs = [refOf(delivery()), refOf(delivery())]
const messages = refs.map((ref, index) => {
  const Body = bodyOf(ref)
  const MD5OfBody = createHash('md5').update(Body).digest('hex')
  return { Body, MD5OfBody, MessageId: `m${index}`, ReceiptHandle: `r${index}` }
})
const body = JSON.stringify({ Messages: messages })
const whole = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
)

/** A queue whose server sends these bytes for every `ReceiveMessage`, and deletes what it is asked to. */
async function queueOf(answer: () => Buffer) {
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      if (String(request.headers['x-amz-target']).endsWith('ReceiveMessage')) {
        response.socket?.end(answer())
      } else {
        const { Entries } = JSON.parse(sent) as BatchRequest
        response.end(JSON.stringify({ Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] }))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const queue = sqsWakeQueue({ ...connectionTo(url), queueUrl: `${url}/000000000000/wake`, timeoutSeconds: 3_600 })
  onTestFinished(async () => {
    await queue.stop()
    server.close()
    server.closeAllConnections()
  })
  return queue
}

const damages = fc.array(fc.record({ kind: fc.constantFrom(...damageKinds), at: fc.nat(2_000), value: fc.nat(255) }), {
  maxLength: 3,
})

test('a damaged answer of the queue is unavailable, or has messages with the ids that were queued', async () => {
  let answer: Buffer = whole
  const queue = await queueOf(() => answer)
  expect((await queue.take(10, 0)).map(({ ref }) => ref)).toEqual(refs)
  await fc.assert(
    fc.asyncProperty(damages, async (changes) => {
      answer = damagedBytes(whole, changes)
      let taken: readonly WakeMessage[] = []
      try {
        taken = await queue.take(10, 0)
      } catch (error) {
        expect(error).toBeInstanceOf(Unavailable)
      }
      // The SDK compares each body with its digest.
      for (const { ref } of taken) expect(refs).toContainEqual(ref)
    }),
    { numRuns: 60, seed: 25 },
  )
})
