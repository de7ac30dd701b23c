import type { WakeQueue } from '@quipu/core/adapter'
import type { Metrics } from '@quipu/runtime'

const results = ['queued', 'received', 'unclaimed'] as const

export type CountMessages = (result: (typeof results)[number], count: number) => void

/** Counts the messages of the queue; those that were not claimed in time are the deliveries that they named. */
export function messageCounter(metrics: Metrics): CountMessages {
  const count = metrics.counter({
    name: 'quipu_queue_messages_total',
    help: 'Messages that the queue took (`queued`) and handed over (`received`), and queued deliveries that nothing claimed in time (`unclaimed`).',
    labels: ['result'],
    known: results.map((result) => ({ result })),
  })
  return (result, by) => count({ result }, by)
}

/** Counts what the queue takes and hands over. */
export const measuredQueue = (count: CountMessages, queue: WakeQueue): WakeQueue => ({
  async put(deliveries) {
    const refused = await queue.put(deliveries)
    count('queued', deliveries.length - refused.length)
    return refused
  },
  async take(limit, waitSeconds, signal) {
    const messages = await queue.take(limit, waitSeconds, signal)
    count('received', messages.length)
    return messages
  },
})
