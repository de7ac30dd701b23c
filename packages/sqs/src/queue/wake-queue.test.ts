import { createHash } from 'node:crypto'
import { Unavailable } from '@quipu/core'
import type { WakeMessage } from '@quipu/core/adapter'
import { wakeQueueContract } from '@quipu/contracts'
import { inWorkSpan } from '@quipu/tracing'
import { recordSpans } from '@quipu/tracing/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ensureQueue } from './ensure-queue.ts'
import { type BatchRequest, deliveries, delivery, newName, refOf, startScripted, useFauxqs } from '../sqs.fixture.ts'
import { type SqsWakeQueue, sqsWakeQueue, type SqsWakeQueueOptions } from './wake-queue.ts'

const fauxqs = useFauxqs()

wakeQueueContract('SQS', async (visibilitySeconds) => {
  const { connection } = fauxqs()
  const { queueUrl } = await ensureQueue(connection, newName())
  const queue = sqsWakeQueue({ ...connection, queueUrl, visibilitySeconds })
  return { queue, close: queue.stop }
})

const queueUrl = 'http://127.0.0.1/000000000000/wake'

function opened(options: SqsWakeQueueOptions): SqsWakeQueue {
  const queue = sqsWakeQueue(options)
  onTestFinished(queue.stop)
  return queue
}

type Body = { readonly MessageBody: string; readonly MessageGroupId?: string }

const md5 = (body: string): string => createHash('md5').update(body).digest('hex')

/** The response that accepts a batch except the bodies that contain a refused id. */
function accepted({ Entries }: BatchRequest, refused: readonly string[] = []): object {
  const entries = Entries as unknown as readonly (Body & { readonly Id: string })[]
  const isRefused = ({ MessageBody }: Body): boolean => refused.some((id) => MessageBody.includes(id))
  return {
    Successful: entries
      .filter((entry) => !isRefused(entry))
      .map(({ Id, MessageBody }) => ({ Id, MessageId: Id, MD5OfMessageBody: md5(MessageBody) })),
    Failed: entries
      .filter(isRefused)
      .map(({ Id }) => ({ Id, Code: 'InternalError', Message: 'try later', SenderFault: false })),
  }
}

describe('traces', () => {
  const stored = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
  const work = { scope: 'test', name: 'work', kind: 'internal' } as const
  const [sent, forged] = [delivery(), delivery()]

  test('a message has the trace of the request that sent it, and the receiver links it', async () => {
    const { server, connection } = fauxqs()
    const name = newName()
    const urls = await ensureQueue(connection, name)
    const queue = opened({ ...connection, ...urls })
    const spans = recordSpans(0)
    onTestFinished(spans.stop)
    await inWorkSpan(work, stored, () => queue.put([sent]))
    const [message] = await inWorkSpan(work, stored, () => queue.take(10, 5))
    const [send, , receive] = spans.spans()
    expect(send).toMatchObject({
      name: `send ${name}`,
      traceId: 'ab'.repeat(16),
      attributes: { 'messaging.system': 'aws_sqs', 'messaging.destination.name': name },
    })
    expect(message).toMatchObject({ ref: refOf(sent), traceparent: `00-${send?.traceId}-${send?.spanId}-01` })
    expect(receive).toMatchObject({ name: `receive ${name}` })
    expect(receive?.links).toEqual([{ traceId: send?.traceId, spanId: send?.spanId }])
    const [inflight] = [...(server.inspectQueue(name)?.messages.inflight ?? [])]
    expect(JSON.stringify(inflight)).toContain(String(message?.traceparent))
  })

  test('a text that is no trace is not continued', async () => {
    const Body = JSON.stringify(refOf(forged))
    const MessageAttributes = { traceparent: { DataType: 'String', StringValue: `${stored}-more` } }
    const connection = await startScripted(() => ({
      Messages: [{ MessageId: '1', ReceiptHandle: '1', Body, MD5OfBody: md5(Body), MessageAttributes }],
    }))
    const [message] = await opened({ ...connection, queueUrl }).take(10, 5)
    expect([message?.ref, message?.traceparent]).toEqual([refOf(forged), undefined])
  })
})

describe('putting', () => {
  test('a message holds the two ids and nothing else', async () => {
    const { server, connection } = fauxqs()
    const name = newName()
    const urls = await ensureQueue(connection, name)
    const queued = delivery()
    await opened({ ...connection, ...urls }).put([queued])
    const [message] = server.inspectQueue(name)?.messages.ready ?? []
    expect(JSON.parse(message?.body ?? '')).toEqual(refOf(queued))
    expect(message?.messageAttributes).toEqual({})
  })

  test.each([
    [true, ['ten_1']],
    [false, [undefined]],
  ])('fairQueues %s: the group of a message is %j', async (fairQueues, groups) => {
    const sent: BatchRequest[] = []
    const connection = await startScripted((_, request) => {
      sent.push(request)
      return accepted(request)
    })
    const queue = opened({ ...connection, queueUrl, fairQueues })
    expect(await queue.put([delivery()])).toEqual([])
    expect(sent[0]?.Entries.map(({ MessageGroupId }) => MessageGroupId)).toEqual(groups)
  })

  test('returns the messages that the server refuses, and reports the reason', async () => {
    const queued = deliveries(25)
    const refused = [queued[13]!, queued[17]!]
    const report = vi.fn()
    const connection = await startScripted((_, request) =>
      accepted(
        request,
        refused.map(({ eventId }) => eventId),
      ),
    )
    const queue = opened({ ...connection, queueUrl, report })
    expect(await queue.put(queued)).toEqual(refused.map(refOf))
    expect(String(report.mock.calls[0]?.[0])).toContain('2 of 25 messages not sent: InternalError')
  })

  test('returns the messages of a request without a response', async () => {
    const queued = deliveries(25)
    const lost = queued.slice(10, 20)
    const report = vi.fn()
    const connection = await startScripted((_, request) =>
      JSON.stringify(request).includes(lost[0]!.eventId) ? 'cut' : accepted(request),
    )
    const queue = opened({ ...connection, queueUrl, report })
    expect(await queue.put(queued)).toEqual(lost.map(refOf))
    expect(report).toHaveBeenCalledOnce()
    expect(report.mock.calls[0]?.[0].cause).toBeInstanceOf(Unavailable)
  })

  test('starts no further request after one has failed', async () => {
    let requests = 0
    const connection = await startScripted(() => {
      requests++
      return 'cut'
    })
    await expect(opened({ ...connection, queueUrl }).put(deliveries(500))).rejects.toThrow(Unavailable)
    // Eight concurrent requests with two attempts each.
    expect(requests).toBeLessThanOrEqual(16)
  })

  test('returns a message that the response leaves out', async () => {
    const connection = await startScripted(() => ({ Successful: [], Failed: [] }))
    const queued = delivery()
    expect(await opened({ ...connection, queueUrl }).put([queued])).toEqual([refOf(queued)])
  })
})

describe('taking', () => {
  const { endpointId, eventId } = delivery()
  test.each([
    ['no JSON', 'wake up'],
    ['nothing', ' '],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', JSON.stringify([endpointId, eventId])],
    ['one id', JSON.stringify({ eventId })],
    ['ids that are no text', JSON.stringify({ endpointId: 1, eventId: 2 })],
    ['an endpoint that is none', JSON.stringify({ endpointId: 'po_1', eventId })],
    ['an event that is none', JSON.stringify({ endpointId, eventId: "' or 1=1" })],
    ['too much', JSON.stringify({ endpointId, eventId, more: 'x'.repeat(1_000) })],
  ])('a message with %s as its body is deleted and reported', async (_, body) => {
    const { server, connection } = fauxqs()
    const name = newName()
    const urls = await ensureQueue(connection, name)
    const report = vi.fn()
    const queue = opened({ ...connection, ...urls, report })
    const queued = delivery()
    server.sendMessage(name, body)
    await queue.put([queued])
    expect((await queue.take(10, 5)).map(({ ref }) => ref)).toEqual([refOf(queued)])
    expect(report).toHaveBeenCalledOnce()
    const { ready, inflight } = server.inspectQueue(name)!.messages
    expect([ready.length, inflight.length]).toEqual([0, 1])
  })

  test('accepts a body with members that a later version adds', async () => {
    const { server, connection } = fauxqs()
    const name = newName()
    const urls = await ensureQueue(connection, name)
    server.sendMessage(name, JSON.stringify({ endpointId, eventId, version: 2 }))
    const [message] = await opened({ ...connection, ...urls }).take(1, 5)
    expect(message?.ref).toEqual({ endpointId, eventId })
  })

  test('limits the number of messages and the wait to what SQS supports', async () => {
    const requests: unknown[] = []
    const connection = await startScripted((_, request) => {
      requests.push(request)
      return {}
    })
    expect(await opened({ ...connection, queueUrl }).take(500, 3_600)).toEqual([])
    expect(requests).toMatchObject([
      { QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20, VisibilityTimeout: 60 },
    ])
  })
})

describe('a long poll', () => {
  /** A queue whose server answers no request, and a promise that resolves when it has one. */
  async function unanswered(): Promise<{ queue: SqsWakeQueue; requested: Promise<void> }> {
    const { promise: requested, resolve } = Promise.withResolvers<void>()
    const connection = await startScripted(() => {
      resolve()
      return 'silence'
    })
    // The request would take longer than the test: only an abort ends it.
    return { queue: opened({ ...connection, queueUrl, timeoutSeconds: 3_600 }), requested }
  }

  test('resolves to no messages when its signal aborts it', async () => {
    const { queue, requested } = await unanswered()
    const controller = new AbortController()
    const waiting = queue.take(10, 20, controller.signal)
    await requested
    controller.abort()
    expect(await waiting).toEqual([])
  })

  test('is unavailable when the queue is stopped', async () => {
    const { queue, requested } = await unanswered()
    const stop = async (): Promise<void> => {
      await requested
      await queue.stop()
    }
    await Promise.all([expect(queue.take(10, 20)).rejects.toThrow('queue unavailable: stopped'), stop()])
  })
})

describe('acknowledging', () => {
  /** The 25 messages of a server that answers deletions so. */
  async function delivered(answer: (request: BatchRequest) => object | 'cut'): Promise<readonly WakeMessage[]> {
    const connection = await startScripted((action, request) => {
      if (action === 'DeleteMessageBatch') return answer(request)
      const Messages = deliveries(25).map((queued) => {
        const Body = JSON.stringify(refOf(queued))
        return { Body, MD5OfBody: md5(Body), MessageId: 'm', ReceiptHandle: queued.eventId }
      })
      return { Messages }
    })
    return opened({ ...connection, queueUrl }).take(10, 0)
  }

  test('an acknowledgement that fails is unavailable, and the others of its batch are not', async () => {
    const messages = await delivered(({ Entries }) => ({
      Successful: Entries.slice(1),
      Failed: Entries.slice(0, 1).map(({ Id }) => ({ Id, Code: 'InternalError' })),
    }))
    const [first, ...others] = messages.slice(0, 10).map((message) =>
      message.acknowledge().then(
        () => 'done',
        (error: unknown) => error,
      ),
    )
    expect(await first).toBeInstanceOf(Unavailable)
    expect(await Promise.all(others)).toEqual(others.map(() => 'done'))
  })

  test('a server that closes the connection is unavailable', async () => {
    const messages = await delivered(() => 'cut')
    await expect(messages[0]!.acknowledge()).rejects.toThrow(Unavailable)
  })
})

describe('an unreachable server', () => {
  test('every method is unavailable when it does not answer', async () => {
    const connection = await startScripted(() => 'silence')
    const queue = opened({ ...connection, queueUrl, timeoutSeconds: 0.2 })
    await Promise.all([
      expect(queue.put([delivery()])).rejects.toThrow('queue unavailable: TimeoutError'),
      expect(queue.take(1, 0)).rejects.toThrow('queue unavailable: TimeoutError'),
    ])
  })

  test('is unavailable, with the error’s name, when the queue does not exist', async () => {
    const queue = opened({ ...fauxqs().connection, queueUrl: `${queueUrl}-missing` })
    await expect(queue.take(1, 0)).rejects.toThrow(/queue unavailable: QueueDoesNotExist/)
    await expect(queue.put([delivery()])).rejects.toThrow(Unavailable)
  })

  test('is unavailable, with the status, when the response is not SQS’s', async () => {
    const connection = await startScripted(() => 'forbidden')
    const queue = opened({ ...connection, queueUrl })
    await expect(queue.take(1, 0)).rejects.toThrow('queue unavailable: HTTP 403')
  })

  test('a long poll is not cut at the time-out of a request that does not wait', async () => {
    const connection = await startScripted(() => 'silence')
    const queue = opened({ ...connection, queueUrl, timeoutSeconds: 0.2 })
    const abort = new AbortController()
    const polled = vi.fn<(result: unknown) => void>()
    const polling = queue.take(1, 20, abort.signal).then(polled, polled)
    for (let n = 0; n < 2; n++) await expect(queue.put([delivery()])).rejects.toThrow('TimeoutError')
    expect(polled).not.toHaveBeenCalled()
    abort.abort()
    await polling
  })

  test('is unavailable when credentials fail or time out', async () => {
    const { connection } = fauxqs()
    const broken = async (): Promise<never> => Promise.reject(new Error('no role'))
    const slow = (): Promise<never> => new Promise(() => {})
    const refused = opened({ ...connection, queueUrl, credentials: broken })
    await expect(refused.put([delivery()])).rejects.toThrow('queue unavailable: no role')
    const late = opened({ ...connection, queueUrl, credentials: slow, timeoutSeconds: 0.2 })
    await expect(late.take(1, 0)).rejects.toThrow('queue unavailable: TimeoutError')
  })
})

describe('opening and stopping', () => {
  test('a FIFO queue is refused', () => {
    expect(() => sqsWakeQueue({ queueUrl: `${queueUrl}.fifo` })).toThrow(RangeError)
  })

  test.each([0, -1, 1.5, 43_201])('a visibility of %s seconds is refused', (visibilitySeconds) => {
    expect(() => sqsWakeQueue({ queueUrl, visibilitySeconds })).toThrow(RangeError)
  })

  test('a stop aborts the calls in progress, and later calls are unavailable', async () => {
    const { connection } = fauxqs()
    const urls = await ensureQueue(connection, newName())
    const queue = sqsWakeQueue({ ...connection, ...urls })
    await queue.put([delivery()])
    const [message] = await queue.take(1, 5)
    const waiting = queue.take(1, 20)
    await queue.stop()
    for (const call of [waiting, queue.take(1, 0), queue.put([delivery()]), message?.acknowledge()])
      await expect(call).rejects.toThrow('queue unavailable: stopped')
  })
})
