import { connectSqs, type SqsClient, type SqsConnection } from '../client/connection.ts'
import { readAttributes } from './queue-attributes.ts'

/** The URLs of a queue and of its dead-letter queue. */
export type QueueUrls = { readonly queueUrl: string; readonly deadLetterUrl: string }

const days = 24 * 60 * 60
/** The longest retention of SQS. */
const deadLetterKeptSeconds = 14 * days

/** The rules of a queue that is created. */
export type QueueRules = {
  /** A message that was received this often without an acknowledgement is a dead letter. 5 by default. */
  readonly maxReceiveCount?: number
}

/**
 * Creates a standard queue and its dead-letter queue, `{name}-dead-letters`, if they are missing, and
 * sets the redrive policy. Calling it again, or in two processes at the same time, changes nothing.
 *
 * @throws Unavailable
 */
export async function ensureQueue(
  connection: SqsConnection,
  name: string,
  { maxReceiveCount = 5 }: QueueRules = {},
): Promise<QueueUrls> {
  const client = connectSqs(connection)
  try {
    const deadLetterUrl = await createQueue(client, `${name}-dead-letters`)
    await setAttributes(client, deadLetterUrl, { MessageRetentionPeriod: String(deadLetterKeptSeconds) })
    const queueUrl = await createQueue(client, name)
    const { arn: deadLetterTargetArn } = await readAttributes(client, deadLetterUrl)
    await setAttributes(client, queueUrl, { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }) })
    return { queueUrl, deadLetterUrl }
  } finally {
    client.stop()
  }
}

/** Without attributes: SQS refuses the call if they differ from an existing queue's. */
async function createQueue(client: SqsClient, name: string): Promise<string> {
  const { QueueUrl = '' } = await client.call((sqs, options) => sqs.createQueue({ QueueName: name }, options))
  return QueueUrl
}

const setAttributes = (client: SqsClient, queueUrl: string, Attributes: Record<string, string>): Promise<unknown> =>
  client.call((sqs, options) => sqs.setQueueAttributes({ QueueUrl: queueUrl, Attributes }, options))
