import { prometheusMetrics } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { measuredQueue, messageCounter } from './measured-queue.ts'

const ref = (eventId: string) => ({ endpointId: 'we_1', eventId })

test('counts what the queue took and handed over, and nothing that it refused', async () => {
  const metrics = prometheusMetrics()
  const acknowledge = async (): Promise<void> => {}
  const queue = measuredQueue(messageCounter(metrics), {
    put: async ([first]) => (first ? [first] : []),
    take: async () => [{ ref: ref('a'), acknowledge }],
  })
  expect(await metrics.text()).toContain('quipu_queue_messages_total{result="unclaimed"} 0')
  expect(await queue.put(['a', 'b', 'c'].map((id) => ({ ...ref(id), group: 'ten_1' })))).toHaveLength(1)
  expect(await queue.take(10, 20)).toHaveLength(1)
  const text = await metrics.text()
  expect(text).toContain('quipu_queue_messages_total{result="queued"} 2')
  expect(text).toContain('quipu_queue_messages_total{result="received"} 1')
})
