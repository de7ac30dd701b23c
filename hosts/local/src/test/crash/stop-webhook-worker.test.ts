import { describe, test } from 'vitest'
import { deliveryState } from '../harness/deliveries.fixture.ts'
import { expectAllDelivered } from '../harness/expect-deliveries.fixture.ts'
import { openSqsHarness } from '../harness/sqs-harness.fixture.ts'

describe.concurrent('stop and restart of a worker', () => {
  test.for(['a queue', 'the database'] as const)(
    'SIGTERM during deliveries, woken by %s: the worker records what it sent before it ends',
    async (wokenBy, { expect }) => {
      await using harness = await openSqsHarness()
      const { api, receiver } = harness
      // Long, so that only the first worker can record the deliveries.
      const env = { WEBHOOK_LEASE_SECONDS: '60', WEBHOOK_PER_ENDPOINT: '2' }
      const alone = wokenBy === 'a queue' ? env : { ...env, SQS_QUEUE_URL: '' }
      const release = receiver.holdAnswers()
      const worker = await harness.startWorker(alone)
      await harness.emitEvents(api, 2)
      await receiver.untilArrived(2)
      await harness.emitEvents(api, 2)

      worker.signal('SIGTERM')
      await worker.untilOutput(/worker stopping/)
      expect(worker.isRunning()).toBe(true)
      release()

      expect(await worker.ended).toBe(0)
      const delivered = await deliveryState(harness.database).delivered()
      expect(new Set(delivered)).toEqual(new Set(receiver.arrivals.keys()))
      await harness.startWorker()
      expect(await expectAllDelivered(expect, harness)).toEqual([1, 1, 1, 1])
    },
  )
})
