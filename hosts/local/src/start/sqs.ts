import { ensureQueue } from '@quipu/sqs'
import { startFauxqs } from 'fauxqs'

/**
 * A local SQS with the queue that wakes workers. It keeps its messages in memory only.
 * Unlike the other listeners it binds to all interfaces: fauxqs has no option for the address.
 */
export type Sqs = {
  /** Settings of the worker. */
  readonly env: { readonly SQS_ENDPOINT: string; readonly SQS_QUEUE_URL: string; readonly SQS_DEAD_LETTER_URL: string }
  stop(): Promise<void>
}

/** The local SQS checks no credentials, but the AWS SDK requires some. */
const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }

export async function openSqs(port: number): Promise<Sqs> {
  const server = await startFauxqs({ port, logger: false })
  Object.assign(process.env, credentials)
  const endpoint = `http://127.0.0.1:${port}`
  const queue = await ensureQueue({ endpoint }, 'quipu-deliveries')
  return {
    env: { SQS_ENDPOINT: endpoint, SQS_QUEUE_URL: queue.queueUrl, SQS_DEAD_LETTER_URL: queue.deadLetterUrl },
    stop: () => server.stop(),
  }
}
