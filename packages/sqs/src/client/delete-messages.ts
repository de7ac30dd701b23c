import { Unavailable } from '@quipu/core'
import { batchSize, numbered, refusedOf } from './batches.ts'
import type { SqsClient } from './connection.ts'

/** So many requests are under way at a time. */
const requestsMax = 4

type Waiting = {
  readonly receipt: string
  resolve(): void
  reject(error: unknown): void
}

/**
 * Deletes messages by their receipts. Those that come together, or while requests are under way, go
 * together, ten a request.
 *
 * @returns deletes one message; throws `Unavailable`
 */
export function messageDeleter(
  client: SqsClient,
  queueUrl: string,
): (receipt: string) => Promise<void> {
  const waiting: Waiting[] = []
  let lanes = 0
  const lane = async (): Promise<void> => {
    for (;;) {
      const batch = waiting.splice(0, batchSize)
      if (batch.length === 0) break
      await deleteBatch(client, queueUrl, batch)
    }
    lanes--
  }
  return (receipt) =>
    new Promise((resolve, reject) => {
      waiting.push({ receipt, resolve, reject })
      // A lane takes ten: another is of use only when there are more.
      if (lanes < requestsMax && lanes * batchSize < waiting.length) {
        lanes++
        // Not at once, so that messages that are acknowledged together go together.
        setImmediate(() => void lane())
      }
    })
}

async function deleteBatch(
  client: SqsClient,
  queueUrl: string,
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const Entries = numbered(batch, ({ receipt }) => ({ ReceiptHandle: receipt }))
    const answer = await client.ask((sqs, options) =>
      sqs.deleteMessageBatch({ QueueUrl: queueUrl, Entries }, options),
    )
    const { items, reason } = refusedOf(batch, answer)
    for (const { reject } of items) reject(new Unavailable('queue', reason ?? ''))
    // What was rejected stays so.
    for (const { resolve } of batch) resolve()
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
