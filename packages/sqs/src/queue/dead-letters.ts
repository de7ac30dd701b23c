import { type Message, MessageSystemAttributeName, QueueAttributeName } from '@aws-sdk/client-sqs'
import { batchSize } from '../client/batches.ts'
import { connectSqs, type SqsClient, type SqsConnection } from '../client/connection.ts'
import { messageDeleter } from '../client/delete-messages.ts'
import type { QueueUrls } from './ensure-queue.ts'
import { sendMessages } from '../client/send-messages.ts'

/** The messages that were received too often. Their deliveries are not lost: the database has them. */
export type DeadLetters = {
  /**
   * About how many wait. More than none means that workers die, or that a delivery kills them: a
   * reason for an alarm.
   */
  count(): Promise<number>
  /**
   * Moves them back to their queue. A message is deleted after it was sent: one that cannot be is
   * there twice, which harms nobody.
   *
   * @param limit  at least 1, 1,000 by default; rounded up to tens
   * @returns how many were moved
   */
  redrive(limit?: number): Promise<number>
  stop(): Promise<void>
}

export type DeadLettersOptions = SqsConnection &
  QueueUrls & {
    /** Is told why some were not moved. Must not throw. */
    readonly report?: ((error: Error) => void) | undefined
  }

/** Every method throws `Unavailable`. */
export function deadLetters(options: DeadLettersOptions): DeadLetters {
  const { queueUrl, deadLetterUrl, report = () => {} } = options
  const client = connectSqs(options)
  const remove = messageDeleter(client, deadLetterUrl)
  return {
    async count() {
      const AttributeNames = [QueueAttributeName.ApproximateNumberOfMessages]
      const { Attributes } = await client.ask((sqs, options) =>
        sqs.getQueueAttributes({ QueueUrl: deadLetterUrl, AttributeNames }, options),
      )
      return Number(Attributes?.ApproximateNumberOfMessages ?? 0)
    },
    async redrive(limit = 1_000) {
      let moved = 0
      // Counts what was received: what could not be sent is hidden for a while, and not met again.
      for (let received = 0; received < limit;) {
        const letters = await receive(client, deadLetterUrl)
        if (letters.length === 0) break
        received += letters.length
        const left = new Set(await sendMessages(client, queueUrl, letters, report))
        const sent = letters.filter((letter) => !left.has(letter))
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

/** Asking without a wait looks at some of the servers only, and may find nothing where something is. */
const waitSeconds = 1

type Letter = {
  readonly body: string
  readonly group?: string | undefined
  readonly receipt: string
}

async function receive(client: SqsClient, queueUrl: string): Promise<readonly Letter[]> {
  const request = {
    QueueUrl: queueUrl,
    MaxNumberOfMessages: batchSize,
    WaitTimeSeconds: waitSeconds,
    VisibilityTimeout: 60,
    MessageSystemAttributeNames: [MessageSystemAttributeName.MessageGroupId],
  }
  const { Messages = [] } = await client.ask(
    (sqs, options) => sqs.receiveMessage(request, options),
    waitSeconds,
  )
  return Messages.map(letterOf)
}

const letterOf = ({ Attributes, Body = '', ReceiptHandle = '' }: Message): Letter => ({
  body: Body,
  group: Attributes?.MessageGroupId,
  receipt: ReceiptHandle,
})
