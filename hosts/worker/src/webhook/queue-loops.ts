import type { Deliver } from '@quipu/core'
import type { DeliveryClaimQuery, DeliveryStore } from '@quipu/core/adapter'
import { type NamedLoop, namedLoop, type PollingLoop } from '@quipu/runtime'
import { logFailures } from '../loop/log-failures.ts'
import type { WebhookQueue, WorkerContext } from '../ports.ts'
import type { QueueWorkerSettings } from '../settings/settings.ts'
import { deadLetterWatch } from './dead-letter-watch.ts'
import { enqueueLoop } from './enqueue-loop.ts'
import type { QueueHealth } from './queue-health.ts'
import { wakeLoop } from './wake-loop.ts'
import { unclaimedAlert } from './unclaimed-alert.ts'
import { queuedSeconds } from './webhook-queue.ts'

export type QueueLoopPorts = {
  readonly deliveries: DeliveryStore
  readonly queue: WebhookQueue
  readonly health: QueueHealth
  readonly work: Deliver
}

const receiving = { waitSeconds: 20, receivers: 4, idleMs: 1_000 }
const queuedPerPoll = 200

/** Queues due deliveries, sends those that messages name, and watches the dead letters. */
export function queueLoops(
  { settings, log, timing, raiseAlert }: WorkerContext<QueueWorkerSettings>,
  { deliveries, queue, health, work }: QueueLoopPorts,
  query: Omit<DeliveryClaimQuery, 'deliveryClass' | 'limit'>,
): readonly NamedLoop[] {
  const { WEBHOOK_CONCURRENCY: concurrency, WEBHOOK_LEASE_SECONDS: leaseSeconds } = settings
  const raiseUnclaimed = unclaimedAlert({ raiseAlert, monotonic: timing.monotonic }, settings.SQS_QUEUE_URL)
  const enqueueing = enqueueLoop(
    {
      deliveries,
      queue: queue.wakeQueue,
      health,
      ...timing,
      noteUnclaimed: (count) => {
        queue.countUnclaimed(count)
        raiseUnclaimed(count)
      },
      report: logFailures(log, {
        enqueue: 'queueing deliveries failed; retrying',
        put: `the queue takes no messages; claiming from the database for ${leaseSeconds} s`,
        requeue: `requeueing deliveries failed; they are due again in ${queuedSeconds} s`,
        unclaimed: `the queue hands messages over late or not at all; claiming from the database for ${leaseSeconds} s`,
      }),
    },
    { query: { ...query, leaseSeconds: queuedSeconds, limit: queuedPerPoll }, idleMs: settings.WEBHOOK_IDLE_MS },
  )
  const waking = wakeLoop(
    {
      queue: queue.wakeQueue,
      claim: deliveries.claim,
      work,
      health,
      ...timing,
      report: logFailures(log, {
        take: `receiving messages failed; claiming from the database for ${leaseSeconds} s`,
        work: 'sending or recording a delivery failed; its message becomes visible again',
      }),
    },
    { ...receiving, concurrency, leaseSeconds },
  )
  const watching = deadLetterLoop({ settings, log, timing, raiseAlert }, queue)
  return [
    namedLoop('delivery_queue', enqueueing),
    namedLoop('queue_messages', waking),
    ...(watching ? [namedLoop('dead_letters', watching)] : []),
  ]
}

function deadLetterLoop(
  {
    settings,
    log,
    timing,
    raiseAlert,
  }: Pick<WorkerContext<QueueWorkerSettings>, 'settings' | 'log' | 'timing' | 'raiseAlert'>,
  { deadLetters }: WebhookQueue,
): PollingLoop | undefined {
  if (!deadLetters || settings.SQS_DEAD_LETTER_URL === undefined) return undefined
  const report = (error: unknown): void => log.warn({ err: error }, 'counting dead letters failed; retrying')
  const ports = { count: deadLetters.count, raiseAlert, report }
  return deadLetterWatch({ ...ports, timer: timing.timer }, settings.SQS_DEAD_LETTER_URL)
}
