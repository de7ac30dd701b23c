import {
  type Clock,
  type DeliveryClaimQuery,
  defaultEndpointPolicy,
  defaultRetryPolicy,
  deliver,
  type Deliver,
} from '@quipu/core'
import type { PostgresStores } from '@quipu/postgres'
import {
  aesSecretBox,
  type Logger,
  logAlert,
  cachingSecretBox,
  systemRandom,
  systemTimer,
} from '@quipu/runtime'
import { type HttpWebhookSender, httpWebhookSender } from '@quipu/webhook-http'
import { ContainerModule } from 'inversify'
import { type ClaimLoop, claimLoop } from '../loop/claim-loop.ts'
import { type QueueHealth, queueHealth } from '../webhook/queue-health.ts'
import type { WorkerSettings } from '../settings/settings.ts'
import { named, STORES } from './symbols.ts'

/** Settings of a worker that sends webhooks. */
export type Delivering = WorkerSettings & { readonly WEBHOOK_SECRET_KEY: Uint8Array }

export const delivers = (settings: WorkerSettings): settings is Delivering =>
  settings.WEBHOOK_DELIVERY === 'on' && settings.WEBHOOK_SECRET_KEY !== undefined

const SENDER = named<HttpWebhookSender>('WebhookSender')
export const DELIVER = named<Deliver>('Deliver')
export const HEALTH = named<QueueHealth>('QueueHealth')
export const QUICK_LOOP = named<ClaimLoop>('QuickLoop')
export const SLOW_LOOP = named<ClaimLoop>('SlowLoop')

/** How many of a worker's deliveries may be to slow receivers. */
const slowShare = (atOnce: number): number => Math.max(1, Math.floor(atOnce / 3))

export const claimQuery = (
  settings: WorkerSettings,
): Omit<DeliveryClaimQuery, 'deliveryClass' | 'limit'> => ({
  leaseSeconds: settings.WEBHOOK_LEASE_SECONDS,
  perEndpoint: settings.WEBHOOK_PER_ENDPOINT,
  perTenant: settings.WEBHOOK_PER_TENANT,
  catchUpPerSecond: settings.WEBHOOK_CATCH_UP_PER_SECOND,
})

/**
 * Sends what is due, claimed from the database: always without a queue, and with one while that is
 * down.
 */
export const deliveryModule = (settings: Delivering, log: Logger): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { WEBHOOK_AT_ONCE, WEBHOOK_IDLE_MS: idleMs } = settings
    const slow = slowShare(WEBHOOK_AT_ONCE)
    const lanes = [
      [QUICK_LOOP, 'fast', WEBHOOK_AT_ONCE - slow],
      [SLOW_LOOP, 'slow', slow],
    ] as const
    for (const [token, deliveryClass, atOnce] of lanes)
      bind(token)
        .toResolvedValue(
          ({ deliveries }: PostgresStores, work: Deliver, health: QueueHealth) => {
            const claimDue = async (limit: number) =>
              settings.SQS_QUEUE_URL === undefined || health.isDown()
                ? deliveries.claimDue({ ...claimQuery(settings), deliveryClass, limit })
                : []
            const report = reporting(log)
            const pace = { atOnce, atLeast: Math.ceil(atOnce / 4), idleMs }
            const { leaseSeconds } = claimQuery(settings)
            return claimLoop(
              { claimDue, work, timer: systemTimer, report },
              { ...pace, leaseSeconds },
            )
          },
          [STORES, DELIVER, HEALTH],
        )
        .inSingletonScope()
  })

/** The use case, and what it needs. */
export const senderModule = (settings: Delivering, log: Logger, now: Clock): ContainerModule =>
  new ContainerModule(({ bind }) => {
    // A queue that has failed is left alone for as long as a lease.
    const queuePauseMs = settings.WEBHOOK_LEASE_SECONDS * 1_000
    bind(HEALTH).toConstantValue(queueHealth(now, queuePauseMs))
    bind(DELIVER)
      .toResolvedValue(
        ({ deliveries }: PostgresStores, sender: HttpWebhookSender) => {
          const sealing = aesSecretBox(settings.WEBHOOK_SECRET_KEY, systemRandom)
          const secretBox = cachingSecretBox(sealing)
          const system = { random: systemRandom, now, raiseAlert: logAlert(log) }
          const { pauseAfter } = defaultEndpointPolicy
          const headerPrefix = settings.WEBHOOK_HEADER_PREFIX
          const retryPolicy = {
            ...defaultRetryPolicy,
            attempts: settings.WEBHOOK_ATTEMPTS,
            maxDelaySeconds: settings.WEBHOOK_MAX_DELAY_SECONDS,
          }
          return deliver(
            { deliveries, sender, secretBox, ...system },
            { retryPolicy, pauseAfter, headerPrefix },
          )
        },
        [STORES, SENDER],
      )
      .inSingletonScope()
    bind(SENDER)
      .toResolvedValue(() =>
        httpWebhookSender({
          allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE,
          // Endpoints are bounded one by one; those that share an origin must not wait for each other.
          connectionsPerOrigin: settings.WEBHOOK_AT_ONCE,
        }),
      )
      .inSingletonScope()
      .onDeactivation((sender) => sender.stop())
  })

export const reporting =
  (log: Logger) =>
  (error: unknown): void =>
    log.error({ err: error }, 'a delivery could not be made')
