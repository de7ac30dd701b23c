import { Unavailable } from '@quipu/core'
import { activeTraceparent, inChildSpan } from '@quipu/tracing'
import { batchesOf, numbered, refusedOf } from './batches.ts'
import type { SqsClient } from './connection.ts'
import { traceAttribute } from './message-trace.ts'
import { queueSpan } from './queue-span.ts'

export type OutgoingMessage = {
  readonly body: string
  /** Only for queues with fairness between groups: other servers may refuse the parameter. */
  readonly group?: string | undefined
  /** Left out: that of the span that sends it. */
  readonly traceparent?: string | undefined
}

/** Concurrent requests. */
const requestsMax = 8

/**
 * Sends messages in batches of ten. No further request starts after one has failed: the caller sends
 * the other messages later.
 *
 * @param report  called with the reason when some messages were sent and others were not
 * @returns the messages that were not sent, or whose request had no response
 * @throws Unavailable when a request failed and no message was sent
 */
export async function sendMessages<M extends OutgoingMessage>(
  client: SqsClient,
  queueUrl: string,
  messages: readonly M[],
  report: (error: Error) => void,
): Promise<readonly M[]> {
  const batches = batchesOf(messages)
  const queue = batches.values()
  const unsent = new Set<M>()
  let failure: Unavailable | undefined
  let refusal: string | undefined
  const sendBatches = async (): Promise<void> => {
    for (const batch of queue) {
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
      for (const message of refused) unsent.add(message)
    }
  }
  await Promise.all(Array.from({ length: Math.min(requestsMax, batches.length) }, sendBatches))
  if (failure && unsent.size === messages.length) throw failure
  if (unsent.size > 0) {
    const reason = failure?.message ?? refusal ?? ''
    const cause = failure && { cause: failure }
    report(new Error(`${unsent.size} of ${messages.length} messages not sent: ${reason}`, cause))
  }
  return messages.filter((message) => unsent.has(message))
}

const sendBatch = <M extends OutgoingMessage>(
  client: SqsClient,
  queueUrl: string,
  batch: readonly M[],
): Promise<ReturnType<typeof refusedOf<M>>> =>
  inChildSpan(queueSpan('send', queueUrl, batch.length), async () => {
    const sending = activeTraceparent()
    const Entries = numbered(batch, ({ body, group, traceparent = sending }) => ({
      MessageBody: body,
      ...(group !== undefined && { MessageGroupId: group }),
      ...(traceparent !== undefined && { MessageAttributes: traceAttribute(traceparent) }),
    }))
    const response = await client.call((sqs, options) => sqs.sendMessageBatch({ QueueUrl: queueUrl, Entries }, options))
    return refusedOf(batch, response)
  })
