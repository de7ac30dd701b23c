import { defaultEndpointPolicy, deliver, type Deliver, type DeliverPorts, type WebhookSender } from '@quipu/core'
import type { ClaimedDelivery, DeliveryClaimQuery, DeliveryStore } from '@quipu/core/adapter'
import { renewSecrets } from '@quipu/core/operator'
import { aesSecretBox, cachingSecretBox, type NamedLoop, namedLoop, retryPolicyOf } from '@quipu/runtime'
import { activeTraceparent, inWorkSpan, type SpanFacts } from '@quipu/tracing'
import { claimLoop } from '../loop/claim-loop.ts'
import { logFailures } from '../loop/log-failures.ts'
import { keyRenewalLoop } from '../maintenance/key-renewal.ts'
import type { WebhookQueue, WorkerContext, WorkerStores } from '../ports.ts'
import { usesQueue, type WebhookWorkerSettings } from '../settings/settings.ts'
import { deliveryLog } from './delivery-log.ts'
import { type QueueHealth, queueHealth } from './queue-health.ts'
import { queueLoops } from './queue-loops.ts'

type Context = WorkerContext<WebhookWorkerSettings>

/**
 * Sends due deliveries: claimed from the database, or woken by a queue if one is configured. Renews the signing
 * secrets that an older key encrypts.
 */
export function webhookLoops(
  context: Context,
  { deliveries, webhooks }: Pick<WorkerStores, 'deliveries' | 'webhooks'>,
  sender: WebhookSender,
  queue: WebhookQueue | undefined,
): readonly NamedLoop[] {
  const { settings, log, now, timing, random } = context
  const secretBox = aesSecretBox(settings.WEBHOOK_SECRET_KEY, random)
  const renewal = keyRenewalLoop(renewSecrets({ webhooks, secretBox }), context, {
    values: 'signing secrets',
    setting: 'WEBHOOK_SECRET_KEY',
    loop: 'secret_renewal',
  })
  const recent = deliveryLog({ log, ...timing })
  const attempt = deliverOf(context, { deliveries, sender, secretBox: cachingSecretBox(secretBox) })
  const work: Deliver = async (claimed) => {
    const recorded = await attempt(claimed)
    recent.note(claimed, recorded)
    return recorded
  }
  const query = claimQuery(settings)
  // After a failure the queue is not used for the time of a lease.
  const health = queueHealth(now, settings.WEBHOOK_LEASE_SECONDS * 1_000)
  const claimed = claimLoops(context, deliveries, { work, query, health })
  const own = [...claimed, renewal, namedLoop('delivery_log', recent.loop)]
  if (!queue || !usesQueue(settings)) return own
  const ports = { deliveries, queue, health, work }
  return [...own, ...queueLoops({ ...context, settings }, ports, query)]
}

function deliverOf(
  { settings, raiseAlert, now, random }: Context,
  ports: Pick<DeliverPorts, 'deliveries' | 'sender' | 'secretBox'>,
): Deliver {
  const system = { random, now, raiseAlert }
  const attempt = deliver(
    { ...ports, ...system },
    {
      retryPolicy: retryPolicyOf(settings),
      pauseAfter: defaultEndpointPolicy.pauseAfter,
      alertAfterSeconds: settings.WEBHOOK_ALERT_SECONDS,
      headerPrefix: settings.WEBHOOK_HEADER_PREFIX,
    },
  )
  return (claimed) => {
    // An event without a trace continues that of the message that woke this process.
    const traceparent = claimed.traceparent ?? activeTraceparent()
    return inWorkSpan(attemptSpan(claimed), traceparent, () => attempt(claimed))
  }
}

const attemptSpan = ({ claim, tenantId, attempt }: ClaimedDelivery): SpanFacts => ({
  scope: '@quipu/worker',
  name: 'deliver event',
  kind: 'consumer',
  attributes: {
    'quipu.event.id': claim.eventId,
    'quipu.endpoint.id': claim.endpointId,
    'quipu.tenant.id': tenantId,
    'quipu.attempt': attempt,
  },
})

type DeliveryWork = {
  readonly work: Deliver
  readonly query: Omit<DeliveryClaimQuery, 'deliveryClass' | 'limit'>
  readonly health: QueueHealth
}

/** One loop for each delivery class: without a queue always, with one while that queue is down. */
function claimLoops(
  { settings, log, timing }: Context,
  deliveries: DeliveryStore,
  { work, query, health }: DeliveryWork,
): readonly NamedLoop[] {
  const { WEBHOOK_CONCURRENCY: inAll, WEBHOOK_IDLE_MS: idleMs } = settings
  const slow = slowShare(inAll)
  const report = logFailures(log, {
    claim: 'claiming deliveries failed; retrying',
    work: 'sending or recording a delivery failed; retrying when its lease ends',
  })
  const loopOf = (deliveryClass: 'fast' | 'slow', concurrency: number): NamedLoop => {
    const claimDue = async (limit: number) =>
      settings.SQS_QUEUE_URL === undefined || health.isDown()
        ? deliveries.claimDue({ ...query, deliveryClass, limit })
        : []
    const minBatch = Math.ceil(concurrency / 2)
    const loop = claimLoop(
      { claimDue, work, report, ...timing },
      { concurrency, minBatch, idleMs, leaseSeconds: query.leaseSeconds },
    )
    return namedLoop(`deliveries_${deliveryClass}`, loop)
  }
  return [loopOf('fast', inAll - slow), loopOf('slow', slow)]
}

/** How many of a worker's deliveries may be to slow receivers. */
const slowShare = (concurrency: number): number => Math.max(1, Math.floor(concurrency / 3))

type ShareSettings = Pick<
  WebhookWorkerSettings,
  'WEBHOOK_LEASE_SECONDS' | 'WEBHOOK_PER_ENDPOINT' | 'WEBHOOK_PER_TENANT' | 'WEBHOOK_CATCH_UP_PER_SECOND'
>

/** The bounds of a claim. */
const claimQuery = (settings: ShareSettings): DeliveryWork['query'] => ({
  leaseSeconds: settings.WEBHOOK_LEASE_SECONDS,
  perEndpoint: settings.WEBHOOK_PER_ENDPOINT,
  perTenant: settings.WEBHOOK_PER_TENANT,
  catchUpPerSecond: settings.WEBHOOK_CATCH_UP_PER_SECOND,
})
