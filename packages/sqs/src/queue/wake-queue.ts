import type { Message } from '@aws-sdk/client-sqs'
import type { WakeQueue, DeliveryRef, WakeMessage } from '@quipu/core/adapter'
import { inChildSpan, spanContextOf } from '@quipu/tracing'
import { batchSize } from '../client/batches.ts'
import { connectSqs, type SqsClient, type SqsConnection } from '../client/connection.ts'
import { messageDeleter } from '../client/delete-messages.ts'
import { traceAttributeNames, traceparentOf } from '../client/message-trace.ts'
import { queueSpan } from '../client/queue-span.ts'
import { bodyOf, refOf } from './message-body.ts'
import { sendMessages } from '../client/send-messages.ts'

/** The connection, the queue and the durations of `sqsWakeQueue`. */
export type SqsWakeQueueOptions = SqsConnection & {
  /** URL of a standard queue. */
  readonly queueUrl: string
  /** Seconds after which an unacknowledged message becomes visible again. 60 by default. */
  readonly visibilitySeconds?: number | undefined
  /**
   * Sends the tenant as each message's group, so that a tenant with many messages does not delay the
   * others. AWS supports it on standard queues; other servers may refuse it. Off by default.
   */
  readonly fairQueues?: boolean | undefined
  /** Called with invalid messages, and the reason when `put` returns some. Must not throw. */
  readonly report?: ((error: Error) => void) | undefined
}

/** A wake-up queue that a host can end. */
export type SqsWakeQueue = WakeQueue & {
  /** Aborts the calls in progress. These and all later calls throw `Unavailable`. */
  stop(): Promise<void>
}

const waitSecondsMax = 20
const visibilitySecondsMax = 12 * 60 * 60

/**
 * A wake-up queue on SQS. A call takes at most ten messages and waits at most 20 seconds.
 *
 * @throws RangeError for a FIFO queue, or a visibility that SQS does not support
 */
export function sqsWakeQueue(options: SqsWakeQueueOptions): SqsWakeQueue {
  const { queueUrl, visibilitySeconds = 60, fairQueues = false, report = () => {} } = options
  if (queueUrl.endsWith('.fifo')) throw new RangeError('queueUrl is a FIFO queue; use a standard queue')
  checkWhole('visibilitySeconds', visibilitySeconds, 1, visibilitySecondsMax)
  const client = connectSqs(options)
  const remove = messageDeleter(client, queueUrl)
  return {
    async put(deliveries) {
      const messages = deliveries.map(({ endpointId, eventId, group }) => {
        const ref: DeliveryRef = { endpointId, eventId }
        return { ref, body: bodyOf(ref), group: fairQueues ? group : undefined }
      })
      return (await sendMessages(client, queueUrl, messages, report)).map(({ ref }) => ref)
    },
    async take(limit, waitSeconds, signal) {
      checkWhole('limit', limit, 1)
      checkWhole('waitSeconds', waitSeconds, 0)
      if (signal?.aborted) return []
      const wait = Math.min(waitSeconds, waitSecondsMax)
      const request = {
        QueueUrl: queueUrl,
        MaxNumberOfMessages: Math.min(limit, batchSize),
        WaitTimeSeconds: wait,
        VisibilityTimeout: visibilitySeconds,
        MessageAttributeNames: traceAttributeNames,
      }
      const messages = await receive(client, request, signal)
      return validMessages(messages, remove, report)
    },
    async stop() {
      client.stop()
    },
  }
}

type ReceiveRequest = {
  readonly QueueUrl: string
  readonly MaxNumberOfMessages: number
  readonly WaitTimeSeconds: number
  readonly VisibilityTimeout: number
  readonly MessageAttributeNames: string[]
}

/** Receives in a span with a link to the span that sent each message. */
const receive = (
  client: SqsClient,
  request: ReceiveRequest,
  signal: AbortSignal | undefined,
): Promise<readonly Message[]> =>
  inChildSpan(queueSpan('receive', request.QueueUrl), async (span) => {
    const messages = await receiveUntil(client, request, signal)
    span?.setAttribute('messaging.batch.message_count', messages.length)
    for (const message of messages) {
      const context = spanContextOf(traceparentOf(message))
      if (context) span?.addLink({ context })
    }
    return messages
  })

async function receiveUntil(
  client: SqsClient,
  request: ReceiveRequest,
  signal: AbortSignal | undefined,
): Promise<readonly Message[]> {
  try {
    const { Messages } = await client.call(
      (sqs, options) => sqs.receiveMessage(request, options),
      request.WaitTimeSeconds,
      signal,
    )
    return Messages ?? []
  } catch (error) {
    if (signal?.aborted) return []
    throw error
  }
}

/** The messages that name a delivery. The others are deleted, since they would become visible again. */
async function validMessages(
  messages: readonly Message[],
  remove: (receipt: string) => Promise<void>,
  report: (error: Error) => void,
): Promise<readonly WakeMessage[]> {
  const wakes: WakeMessage[] = []
  const removals: Promise<void>[] = []
  for (const message of messages) {
    const { Body, MessageId, ReceiptHandle = '' } = message
    const [ref, traceparent] = [refOf(Body), traceparentOf(message)]
    const acknowledge = () => remove(ReceiptHandle)
    if (ref) wakes.push({ ref, acknowledge, ...(traceparent !== undefined && { traceparent }) })
    else {
      const start = JSON.stringify(Body?.slice(0, 100))
      report(new Error(`deleting message ${MessageId}, which names no delivery: ${start}`))
      removals.push(remove(ReceiptHandle).catch((error: unknown) => report(error as Error)))
    }
  }
  await Promise.all(removals)
  return wakes
}

function checkWhole(name: string, value: number, min: number, max = Infinity): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}, and is ${value}`)
}
