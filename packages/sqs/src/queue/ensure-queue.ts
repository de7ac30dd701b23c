import { QueueAttributeName } from '@aws-sdk/client-sqs'
import { connectSqs, type SqsClient, type SqsConnection } from '../client/connection.ts'

export type QueueUrls = { readonly queueUrl: string; readonly deadLetterUrl: string }

const days = 24 * 60 * 60
/** The longest that SQS keeps a message. */
const deadLetterKeptSeconds = 14 * days

export type QueueRules = {
  /** A message that was received so often, and never acknowledged, is a dead letter. Default: 5. */
  readonly maxReceiveCount?: number
}

/**
 * Creates a standard queue and its dead-letter queue, `{name}-dead-letters`, where they are missing,
 * and makes the one the other's. Calling it again, or from two processes at once, changes nothing.
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
    await setAttributes(client, deadLetterUrl, {
      MessageRetentionPeriod: String(deadLetterKeptSeconds),
    })
    const queueUrl = await createQueue(client, name)
    const deadLetterTargetArn = await arnOf(client, deadLetterUrl)
    await setAttributes(client, queueUrl, {
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
    })
    return { queueUrl, deadLetterUrl }
  } finally {
    client.stop()
  }
}

/** Without attributes: SQS refuses those that differ from an existing queue's. */
async function createQueue(client: SqsClient, name: string): Promise<string> {
  const { QueueUrl = '' } = await client.ask((sqs, options) =>
    sqs.createQueue({ QueueName: name }, options),
  )
  return QueueUrl
}

async function arnOf(client: SqsClient, queueUrl: string): Promise<string> {
  const AttributeNames = [QueueAttributeName.QueueArn]
  const { Attributes } = await client.ask((sqs, options) =>
    sqs.getQueueAttributes({ QueueUrl: queueUrl, AttributeNames }, options),
  )
  return Attributes?.QueueArn ?? ''
}

const setAttributes = (
  client: SqsClient,
  queueUrl: string,
  Attributes: Record<string, string>,
): Promise<unknown> =>
  client.ask((sqs, options) => sqs.setQueueAttributes({ QueueUrl: queueUrl, Attributes }, options))
