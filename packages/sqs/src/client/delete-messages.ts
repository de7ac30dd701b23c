import { Unavailable } from '@quipu/core'
import { type BatchResponse, batchSize, numbered, refusedOf } from './batches.ts'
import type { SqsClient } from './connection.ts'

/** Concurrent requests. */
const requestsMax = 4

type Waiting = { readonly receipt: string; resolve(): void; reject(error: unknown): void }

/**
 * Deletes messages by their receipts, in batches of up to ten: one batch for the messages that are
 * acknowledged in the same turn, or while all requests are in progress.
 *
 * @returns a function that deletes one message, and throws `Unavailable`
 */
export function messageDeleter(client: SqsClient, queueUrl: string): (receipt: string) => Promise<void> {
  const waiting: Waiting[] = []
  let senders = 0
  const sendBatches = async (): Promise<void> => {
    for (;;) {
      const batch = waiting.splice(0, batchSize)
      if (batch.length === 0) break
      await deleteBatch(client, queueUrl, batch)
    }
    senders--
  }
  return (receipt) =>
    new Promise((resolve, reject) => {
      waiting.push({ receipt, resolve, reject })
      // A sender takes a batch, so another one is needed only for more messages than that.
      if (senders < requestsMax && senders * batchSize < waiting.length) {
        senders++
        // In the next turn, so that messages acknowledged in this one share a batch.
        setImmediate(() => void sendBatches())
      }
    })
}

async function deleteBatch(client: SqsClient, queueUrl: string, batch: readonly Waiting[]): Promise<void> {
  try {
    const Entries = numbered(batch, ({ receipt }) => ({ ReceiptHandle: receipt }))
    const response = await client.call((sqs, options) =>
      sqs.deleteMessageBatch({ QueueUrl: queueUrl, Entries }, options),
    )
    const { items, reason } = refusedOf(batch, withGone(response))
    for (const { reject } of items) reject(new Unavailable('queue', reason ?? ''))
    // A promise that was rejected stays rejected.
    for (const { resolve } of batch) resolve()
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/** AWS deletes a message twice with success; ElasticMQ refuses the receipt of one that is gone. */
const withGone = ({ Successful = [], Failed = [] }: BatchResponse): BatchResponse => {
  const gone = Failed.filter(({ Code }) => Code === 'ReceiptHandleIsInvalid')
  return { Successful: [...Successful, ...gone], Failed: Failed.filter((failed) => !gone.includes(failed)) }
}
