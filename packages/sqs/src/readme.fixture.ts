import type { DeliveryRef } from '@quipu/core/adapter'
import { deadLetters, ensureQueue, type SqsConnection, sqsWakeQueue } from '@quipu/sqs'

/** Queues a delivery, sends it as a worker does, and moves dead letters back to the queue. */
export async function wakeOnce(
  connection: SqsConnection, // {} on AWS
  delivery: DeliveryRef & { readonly group: string },
  send: (ref: DeliveryRef) => Promise<void>,
  report: (error: Error) => void,
): Promise<void> {
  // For development and tests; in production the infrastructure creates the queues.
  const urls = await ensureQueue(connection, 'quipu-wake')

  const queue = sqsWakeQueue({ ...connection, ...urls, report })
  await queue.put([delivery]) // returns the deliveries that must be queued again
  for (const message of await queue.take(10, 20)) {
    await send(message.ref) // claims and sends the delivery, and records the attempt
    await message.acknowledge()
  }
  await queue.stop()

  const letters = deadLetters({ ...connection, ...urls })
  if ((await letters.count()) > 0) await letters.redrive()
  await letters.stop()
}
