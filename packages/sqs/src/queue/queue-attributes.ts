import { QueueAttributeName as Name } from '@aws-sdk/client-sqs'
import { connectSqs, type SqsClient, type SqsConnection } from '../client/connection.ts'

/** The attributes of a queue. */
export type QueueAttributes = {
  readonly arn: string
  /** About how many messages wait to be received. */
  readonly messages: number
  /** How long the queue withholds each new message. */
  readonly delaySeconds: number
  readonly isFifo: boolean
  /** The queue that takes messages that were received too often; undefined without a redrive policy. */
  readonly deadLetterArn: string | undefined
}

/** Reads the attributes of a queue over a connection of its own. @throws Unavailable */
export async function queueAttributes(connection: SqsConnection, queueUrl: string): Promise<QueueAttributes> {
  const client = connectSqs(connection)
  try {
    return await readAttributes(client, queueUrl)
  } finally {
    client.stop()
  }
}

/** @throws Unavailable */
export async function readAttributes(client: SqsClient, queueUrl: string): Promise<QueueAttributes> {
  const { Attributes: found = {} } = await client.call((sqs, options) =>
    sqs.getQueueAttributes({ QueueUrl: queueUrl, AttributeNames: [Name.All] }, options),
  )
  return {
    arn: found[Name.QueueArn] ?? '',
    messages: Number(found[Name.ApproximateNumberOfMessages] ?? 0),
    delaySeconds: Number(found[Name.DelaySeconds] ?? 0),
    isFifo: found[Name.FifoQueue] === 'true',
    deadLetterArn: deadLetterArnOf(found[Name.RedrivePolicy]),
  }
}

function deadLetterArnOf(policy: string | undefined): string | undefined {
  if (policy === undefined || policy === '') return undefined
  const { deadLetterTargetArn } = JSON.parse(policy) as { readonly deadLetterTargetArn?: string }
  return deadLetterTargetArn
}
