import { measuredQueue, messageCounter } from '../metrics/measured-queue.ts'
import { deadLetters, sqsWakeQueue } from '@quipu/sqs'
import type { WebhookQueue, WorkerContext } from '../ports.ts'
import { type QueueWorkerSettings, usesQueue, type WebhookWorkerSettings } from '../settings/settings.ts'

/** How long a queued delivery waits for a worker to claim it. After that it is claimed from the database. */
export const queuedSeconds = 10

/** How long a message stays invisible: a lease for the attempt, and as long again to reach a worker. */
export const visibilitySeconds = (settings: Pick<QueueWorkerSettings, 'WEBHOOK_LEASE_SECONDS'>): number =>
  2 * settings.WEBHOOK_LEASE_SECONDS

/** Connects to the queue that the settings name, if any. */
export function webhookQueue({
  settings,
  log,
  metrics,
}: WorkerContext<WebhookWorkerSettings>): WebhookQueue | undefined {
  const count = messageCounter(metrics)
  if (!usesQueue(settings)) return undefined
  const { SQS_QUEUE_URL: queueUrl, SQS_DEAD_LETTER_URL: deadLetterUrl } = settings
  const { SQS_ENDPOINT: endpoint, SQS_FAIR_QUEUES: fairQueues } = settings
  const wakeQueue = sqsWakeQueue({
    queueUrl,
    endpoint,
    fairQueues,
    visibilitySeconds: visibilitySeconds(settings),
    report: (error) => log.error({ err: error }, 'queue fault; the deliveries concerned are queued again'),
  })
  const letters = deadLetterUrl === undefined ? undefined : deadLetters({ queueUrl, deadLetterUrl, endpoint })
  return {
    wakeQueue: measuredQueue(count, wakeQueue),
    deadLetters: letters,
    countUnclaimed: (found) => count('unclaimed', found),
    stop: async () => {
      await Promise.all([wakeQueue.stop(), letters?.stop()])
    },
  }
}
