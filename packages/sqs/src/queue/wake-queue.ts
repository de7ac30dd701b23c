import type { Message } from '@aws-sdk/client-sqs'
import type { DeliveryRef, WakeMessage, WakeQueue } from '@quipu/core'
import { batchSize } from '../client/batches.ts'
import { connectSqs, type SqsClient, type SqsConnection } from '../client/connection.ts'
import { messageDeleter } from '../client/delete-messages.ts'
import { bodyOf, refOf } from './message-body.ts'
import { sendMessages } from '../client/send-messages.ts'

export type SqsWakeQueueOptions = SqsConnection & {
  /** Of a standard queue. */
  readonly queueUrl: string
  /** A message that is not acknowledged comes again after so many seconds. 60 by default. */
  readonly visibilitySeconds?: number | undefined
  /**
   * Names the tenant as each message's group, so that one tenant's many do not delay the others'.
   * AWS takes it on standard queues; other servers may refuse it. Off by default.
   */
  readonly fairQueues?: boolean | undefined
  /** Is told of messages that are no delivery's, and why `put` has left some out. Must not throw. */
  readonly report?: ((error: Error) => void) | undefined
}

export type SqsWakeQueue = WakeQueue & {
  /** Calls off what is under way. That, and every call from now on, ends as `Unavailable`. */
  stop(): Promise<void>
}

const waitSecondsMax = 20
const visibilitySecondsMax = 12 * 60 * 60

/**
 * A wake-up queue on SQS. A call gives at most ten messages and waits 20 seconds at most.
 *
 * @throws RangeError for a FIFO queue, or a visibility that SQS does not know
 */
export function sqsWakeQueue(options: SqsWakeQueueOptions): SqsWakeQueue {
  const { queueUrl, visibilitySeconds = 60, fairQueues = false, report = () => {} } = options
  if (queueUrl.endsWith('.fifo')) throw new RangeError('a FIFO queue: take a standard one')
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
      }
      const messages = await receive(client, request, signal)
      return sorted(messages, remove, report)
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
}

async function receive(
  client: SqsClient,
  request: ReceiveRequest,
  signal: AbortSignal | undefined,
): Promise<readonly Message[]> {
  try {
    const { Messages } = await client.ask(
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

/** The deliveries' messages. All others are deleted, or they would come again and again. */
async function sorted(
  messages: readonly Message[],
  remove: (receipt: string) => Promise<void>,
  report: (error: Error) => void,
): Promise<readonly WakeMessage[]> {
  const wakes: WakeMessage[] = []
  const removals: Promise<void>[] = []
  for (const { Body, MessageId, ReceiptHandle = '' } of messages) {
    const ref = refOf(Body)
    if (ref) wakes.push({ ref, acknowledge: () => remove(ReceiptHandle) })
    else {
      const start = JSON.stringify(Body?.slice(0, 100))
      report(new Error(`message ${MessageId} is no delivery's and is deleted: ${start}`))
      removals.push(remove(ReceiptHandle).catch((error: unknown) => report(error as Error)))
    }
  }
  await Promise.all(removals)
  return wakes
}

function checkWhole(name: string, value: number, min: number, max = Infinity): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new RangeError(`${name} is ${value}, and must be whole and from ${min} to ${max}`)
}
