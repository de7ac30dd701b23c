import { Unavailable } from '@quipu/core'
import { batchesOf, numbered, refusedOf } from './batches.ts'
import type { SqsClient } from './connection.ts'

export type OutgoingMessage = {
  readonly body: string
  /** For queues that are fair to groups only: others may not know the parameter. */
  readonly group?: string | undefined
}

/** So many requests are under way at a time. */
const requestsMax = 8

/**
 * Sends messages, ten a request. Once a request has failed no further one begins: what was not sent
 * is put in again at a better time.
 *
 * @param report  is told why some were not taken, when others were
 * @returns those that were not taken, as far as is known
 * @throws Unavailable when a request failed and nothing was taken
 */
export async function sendMessages<M extends OutgoingMessage>(
  client: SqsClient,
  queueUrl: string,
  messages: readonly M[],
  report: (error: Error) => void,
): Promise<readonly M[]> {
  const batches = batchesOf(messages)
  const unsent = batches.values()
  const left = new Set<M>()
  let failure: Unavailable | undefined
  let refusal: string | undefined
  const lane = async (): Promise<void> => {
    for (const batch of unsent) {
      let refused: readonly M[] = batch
      try {
        if (!failure) {
          const { items, reason } = await sendBatch(client, queueUrl, batch)
          refused = items
          refusal ??= reason
        }
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        failure ??= error
      }
      for (const message of refused) left.add(message)
    }
  }
  await Promise.all(Array.from({ length: Math.min(requestsMax, batches.length) }, lane))
  if (failure && left.size === messages.length) throw failure
  if (left.size > 0) {
    const reason = failure?.message ?? refusal ?? ''
    const cause = failure && { cause: failure }
    report(new Error(`${left.size} of ${messages.length} messages not taken: ${reason}`, cause))
  }
  return messages.filter((message) => left.has(message))
}

async function sendBatch<M extends OutgoingMessage>(
  client: SqsClient,
  queueUrl: string,
  batch: readonly M[],
): Promise<ReturnType<typeof refusedOf<M>>> {
  const Entries = numbered(batch, ({ body, group }) => ({
    MessageBody: body,
    ...(group !== undefined && { MessageGroupId: group }),
  }))
  const answer = await client.ask((sqs, options) =>
    sqs.sendMessageBatch({ QueueUrl: queueUrl, Entries }, options),
  )
  return refusedOf(batch, answer)
}
