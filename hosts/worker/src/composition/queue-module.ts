import type { Deliver } from '@quipu/core'
import type { PostgresStores } from '@quipu/postgres'
import { type Logger, logAlert, type PollingLoop, systemTimer } from '@quipu/runtime'
import { type DeadLetters, deadLetters, type SqsWakeQueue, sqsWakeQueue } from '@quipu/sqs'
import { ContainerModule } from 'inversify'
import type { ClaimLoop } from '../loop/claim-loop.ts'
import { claimQuery, DELIVER, type Delivering, HEALTH, reporting } from './webhook-module.ts'
import { deadLetterWatch } from '../webhook/dead-letter-watch.ts'
import { dispatchLoop } from '../webhook/enqueue-loop.ts'
import type { QueueHealth } from '../webhook/queue-health.ts'
import type { WorkerSettings } from '../settings/settings.ts'
import { named, STORES } from './symbols.ts'
import { wakeLoop } from '../webhook/wake-loop.ts'

/** Settings of a worker that is woken by a queue. */
export type Queueing = Delivering & { readonly SQS_QUEUE_URL: string }

export const queues = (settings: WorkerSettings): settings is Queueing =>
  settings.SQS_QUEUE_URL !== undefined

const QUEUE = named<SqsWakeQueue>('WakeQueue')
export const DISPATCH_LOOP = named<PollingLoop>('DispatchLoop')
export const WAKE_LOOP = named<ClaimLoop>('WakeLoop')

const DEAD_LETTERS = named<DeadLetters>('DeadLetters')
export const DEAD_LETTER_WATCH = named<PollingLoop>('DeadLetterWatch')

/**
 * A message is visible again, and its delivery handed out again, after so long without a record: a
 * lease, and as long again to come by it.
 */
const handedOut = (settings: Queueing): number => 2 * settings.WEBHOOK_LEASE_SECONDS

const pace = { waitSeconds: 20, receivers: 4, idleMs: 1_000 }

/** Puts what is due into the queue, and sends what the queue tells of. */
export const queueModule = (settings: Queueing, log: Logger): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const report = reporting(log)
    bind(DISPATCH_LOOP)
      .toResolvedValue(
        ({ deliveries }: PostgresStores, queue: SqsWakeQueue, health: QueueHealth) => {
          const query = { ...claimQuery(settings), leaseSeconds: handedOut(settings), limit: 200 }
          const ports = { deliveries, queue, health, timer: systemTimer, report }
          return dispatchLoop(ports, { query, idleMs: settings.WEBHOOK_IDLE_MS })
        },
        [STORES, QUEUE, HEALTH],
      )
      .inSingletonScope()
    bind(WAKE_LOOP)
      .toResolvedValue(
        ({ deliveries: { claim } }: PostgresStores, queue: SqsWakeQueue, work: Deliver, health) => {
          const { WEBHOOK_AT_ONCE: atOnce, WEBHOOK_LEASE_SECONDS: leaseSeconds } = settings
          const ports = { queue, claim, work, health, timer: systemTimer, report }
          return wakeLoop(ports, { ...pace, atOnce, leaseSeconds })
        },
        [STORES, QUEUE, DELIVER, HEALTH],
      )
      .inSingletonScope()
    bind(QUEUE)
      .toResolvedValue(() =>
        sqsWakeQueue({
          queueUrl: settings.SQS_QUEUE_URL,
          endpoint: settings.SQS_ENDPOINT,
          fairQueues: settings.SQS_FAIR_QUEUES,
          visibilitySeconds: handedOut(settings),
          report,
        }),
      )
      .inSingletonScope()
      .onDeactivation((queue) => queue.stop())
  })

/** Watches what nobody could finish. */
export const deadLetterModule = (
  { SQS_QUEUE_URL: queueUrl, SQS_ENDPOINT: endpoint }: Queueing,
  deadLetterUrl: string,
  log: Logger,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(DEAD_LETTER_WATCH)
      .toResolvedValue(
        ({ count }: DeadLetters) => {
          const report = (error: unknown): void =>
            log.warn({ err: error }, 'the dead letters could not be counted')
          const ports = { count, raiseAlert: logAlert(log), timer: systemTimer, report }
          return deadLetterWatch(ports, deadLetterUrl)
        },
        [DEAD_LETTERS],
      )
      .inSingletonScope()
    bind(DEAD_LETTERS)
      .toResolvedValue(() => deadLetters({ queueUrl, deadLetterUrl, endpoint }))
      .inSingletonScope()
      .onDeactivation((letters) => letters.stop())
  })
