import type { DeliveryRef } from '@quipu/core'
import { deadLetters, ensureQueue, type SqsConnection, sqsWakeQueue } from '@quipu/sqs'

/** Wakes a worker, is that worker, and looks after what was left behind. */
export async function wakeOnce(
  connection: SqsConnection, // {} on AWS
  delivery: DeliveryRef & { readonly group: string },
  send: (ref: DeliveryRef) => Promise<void>,
  report: (error: Error) => void,
): Promise<void> {
  const urls = await ensureQueue(connection, 'quipu-wake') // local and tests: elsewhere, infrastructure

  const queue = sqsWakeQueue({ ...connection, ...urls, report })
  await queue.put([delivery]) // returns what was not taken: the database puts it in again
  for (const message of await queue.take(10, 20)) {
    await send(message.ref) // claims it, sends it and records how it went
    await message.acknowledge()
  }
  await queue.stop()

  const letters = deadLetters({ ...connection, ...urls })
  if ((await letters.count()) > 0) await letters.redrive()
  await letters.stop()
}
