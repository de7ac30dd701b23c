import { type SqsProxy, startSqsProxy } from '@quipu/simulators'
import { ensureQueue } from '@quipu/sqs'
import { startFauxqs } from 'fauxqs'
import { until } from './process.fixture.ts'

/** An SQS behind a proxy that injects faults. */
export type TestSqs = {
  readonly proxy: SqsProxy
  /** Settings of a worker. */
  readonly env: Readonly<Record<string, string>>
  /** Waits until the queue has no message, neither visible nor in flight. */
  untilEmpty(): Promise<void>
  stop(): Promise<void>
}

const name = 'deliveries'
const region = 'us-east-1'
const [accessKeyId, secretAccessKey] = ['test', 'test']

export async function startTestSqs(): Promise<TestSqs> {
  const server = await startFauxqs({ port: 0, logger: false })
  const proxy = await startSqsProxy({ target: server.address })
  const credentials = { accessKeyId, secretAccessKey }
  const { queueUrl } = await ensureQueue({ endpoint: proxy.url, region, credentials }, name)
  return {
    proxy,
    env: {
      SQS_ENDPOINT: proxy.url,
      SQS_QUEUE_URL: queueUrl,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    async untilEmpty() {
      await until('the queue is empty', () => {
        const { ready = [], inflight = [] } = server.inspectQueue(name)?.messages ?? {}
        return ready.length + inflight.length === 0
      })
    },
    async stop() {
      await proxy.stop()
      await server.stop()
    },
  }
}
