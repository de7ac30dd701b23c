import type { Deliver, Timer } from '@quipu/core'
import type { ClaimedDelivery } from '@quipu/core/adapter'
import { type Logger, type PollingLoop, pollingLoop } from '@quipu/runtime'

type Delivered = Awaited<ReturnType<Deliver>>

export type DeliveryLog = {
  /** Adds a recorded attempt to its second. */
  note(claimed: ClaimedDelivery, delivered: Delivered): void
  /** Writes the line of each second. */
  readonly loop: PollingLoop
}

type Second = {
  readonly startedAt: number
  readonly tenantId: string
  readonly endpointId: string
  isOfOneTenant: boolean
  isOfOneEndpoint: boolean
  delivered: number
  failed: number
}

const everyMs = 1_000

/**
 * One line for the deliveries of each second, and one for each attempt that failed: a line for each delivery would
 * cost a tenth of the worker's time.
 */
export function deliveryLog({
  log,
  timer,
  monotonic = () => performance.now(),
}: {
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly timer: Timer
  readonly monotonic?: () => number
}): DeliveryLog {
  let second: Second | undefined
  let isStopped = false

  const write = (): void => {
    if (!second) return
    const { startedAt, tenantId, endpointId, delivered, failed } = second
    const about = {
      unit: 'deliveries',
      delivered,
      failed,
      ...(second.isOfOneTenant && { tenant_id: tenantId }),
      ...(second.isOfOneEndpoint && { endpoint_id: endpointId }),
      result: failed === 0 ? 'delivered' : 'failed',
      duration_ms: Math.round(monotonic() - startedAt),
    }
    log.info(
      about,
      failed === 0 ? 'events were delivered' : 'events were delivered; failed attempts are retried by the retry policy',
    )
    second = undefined
  }
  const loop = pollingLoop(async () => {
    write()
    return everyMs
  }, timer)
  return {
    note(claimed, { error }) {
      const { tenantId, claim } = claimed
      const { endpointId } = claim
      second ??= startOf(claimed, monotonic())
      second.isOfOneTenant &&= second.tenantId === tenantId
      second.isOfOneEndpoint &&= second.endpointId === endpointId
      if (error === null) second.delivered += 1
      else {
        second.failed += 1
        logFailure(log, claimed, error)
      }
      if (isStopped) write()
    },
    loop: {
      ...loop,
      stop: async () => {
        isStopped = true
        await loop.stop()
        write()
      },
    },
  }
}

const startOf = ({ tenantId, claim }: ClaimedDelivery, startedAt: number): Second => ({
  startedAt,
  tenantId,
  endpointId: claim.endpointId,
  delivered: 0,
  failed: 0,
  isOfOneTenant: true,
  isOfOneEndpoint: true,
})

/** A warning, whose repetitions are limited: an endpoint that refuses everything does not flood the log. */
function logFailure(log: Pick<Logger, 'warn'>, { tenantId, claim, attempt }: ClaimedDelivery, error: string): void {
  const ids = { tenant_id: tenantId, endpoint_id: claim.endpointId, event_id: claim.eventId }
  log.warn(
    { unit: 'delivery', ...ids, attempt, result: error },
    'an attempt to deliver an event failed; retrying by the retry policy',
  )
}
