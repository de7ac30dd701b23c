import { ensureQueue } from '@quipu/sqs'
import { startFauxqs } from 'fauxqs'

/**
 * An SQS of one's own, with the queue that wakes workers. It forgets everything when it stops.
 * Unlike the rest it also listens where other machines reach it, which it cannot be told not to.
 */
export type Sqs = {
  /** What a worker is told of it. */
  readonly env: {
    readonly SQS_ENDPOINT: string
    readonly SQS_QUEUE_URL: string
    readonly SQS_DEAD_LETTER_URL: string
  }
  stop(): Promise<void>
}

/** Anybody may ask it; the AWS SDK will not ask without these, and finds them nowhere else. */
const identity = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
}

export async function openSqs(port: number): Promise<Sqs> {
  const server = await startFauxqs({ port, logger: false })
  Object.assign(process.env, identity)
  const endpoint = `http://127.0.0.1:${port}`
  const queue = await ensureQueue({ endpoint }, 'quipu-deliveries')
  return {
    env: {
      SQS_ENDPOINT: endpoint,
      SQS_QUEUE_URL: queue.queueUrl,
      SQS_DEAD_LETTER_URL: queue.deadLetterUrl,
    },
    stop: () => server.stop(),
  }
}
