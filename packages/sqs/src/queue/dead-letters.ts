import { type Message, MessageSystemAttributeName } from '@aws-sdk/client-sqs'
import { batchSize } from '../client/batches.ts'
import { connectSqs, type SqsClient, type SqsConnection } from '../client/connection.ts'
import { messageDeleter } from '../client/delete-messages.ts'
import { traceAttributeNames, traceparentOf } from '../client/message-trace.ts'
import type { QueueUrls } from './ensure-queue.ts'
import { sendMessages } from '../client/send-messages.ts'
import { readAttributes } from './queue-attributes.ts'

/** Messages that were received too often. Their deliveries are not lost: the database has them. */
export type DeadLetters = {
  /** About how many there are. Any means that workers die, perhaps because of a delivery: raise an alert. */
  count(): Promise<number>
  /**
   * Moves them back to their queue. Each is deleted after it was sent: if that fails, it is in both
   * queues, and the second one finds its delivery claimed or ended.
   *
   * @param limit  at least 1, 1,000 by default; rounded up to tens
   * @returns how many were moved
   */
  redrive(limit?: number): Promise<number>
  stop(): Promise<void>
}

/** The queue whose dead letters are moved, and its dead-letter queue. */
export type DeadLettersOptions = SqsConnection &
  QueueUrls & {
    /** Called with the reason when some were not moved. Must not throw. */
    readonly report?: ((error: Error) => void) | undefined
  }

/** The dead letters of a queue. Every method throws `Unavailable`. */
export function deadLetters(options: DeadLettersOptions): DeadLetters {
  const { queueUrl, deadLetterUrl, report = () => {} } = options
  const client = connectSqs(options)
  const remove = messageDeleter(client, deadLetterUrl)
  return {
    count: async () => (await readAttributes(client, deadLetterUrl)).messages,
    async redrive(limit = 1_000) {
      let moved = 0
      // The limit counts received messages: those that were not sent stay invisible for a while.
      for (let received = 0; received < limit;) {
        const letters = await receive(client, deadLetterUrl)
        if (letters.length === 0) break
        received += letters.length
        const unsent = new Set(await sendMessages(client, queueUrl, letters, report))
        const sent = letters.filter((letter) => !unsent.has(letter))
        await Promise.all(sent.map(({ receipt }) => remove(receipt)))
        moved += sent.length
      }
      return moved
    },
    async stop() {
      client.stop()
    },
  }
}

/** A short poll asks only some of the servers, and may miss messages that the others have. */
const waitSeconds = 1

type Letter = {
  readonly body: string
  readonly group?: string | undefined
  readonly traceparent?: string | undefined
  readonly receipt: string
}

async function receive(client: SqsClient, queueUrl: string): Promise<readonly Letter[]> {
  const request = {
    QueueUrl: queueUrl,
    MaxNumberOfMessages: batchSize,
    WaitTimeSeconds: waitSeconds,
    VisibilityTimeout: 60,
    MessageAttributeNames: traceAttributeNames,
    MessageSystemAttributeNames: [MessageSystemAttributeName.MessageGroupId],
  }
  const { Messages = [] } = await client.call((sqs, options) => sqs.receiveMessage(request, options), waitSeconds)
  return Messages.map(letterOf)
}

function letterOf(message: Message): Letter {
  const { Attributes, Body = '', ReceiptHandle = '' } = message
  const group = Attributes?.MessageGroupId
  return { body: Body, group, receipt: ReceiptHandle, traceparent: traceparentOf(message) }
}
