import { Unavailable } from '@quipu/core'
import type { DeliveryClaimQuery, DeliveryRef, DeliveryStore, WakeQueue } from '@quipu/core/adapter'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import { inWorkSpan } from '@quipu/tracing'
import { pauseAfter, pauseAfterFailure } from '../loop/poll-pause.ts'
import type { LoopTiming } from '../loop/system-timing.ts'
import { workSpan } from '../loop/work-span.ts'
import type { QueueHealth } from './queue-health.ts'

type EnqueueStep = 'enqueue' | 'put' | 'requeue' | 'unclaimed'

export type EnqueueLoopPorts = LoopTiming & {
  readonly deliveries: Pick<DeliveryStore, 'enqueue' | 'requeue'>
  readonly queue: Pick<WakeQueue, 'put'>
  readonly health: QueueHealth
  /** Called with how many queued deliveries were not claimed in time. */
  readonly noteUnclaimed: (count: number) => void
  readonly report: (error: unknown, step: EnqueueStep) => void
}

export type EnqueueLoopSettings = {
  /** A queued delivery that no worker claims is due again after `leaseSeconds`. */
  readonly query: Omit<DeliveryClaimQuery, 'deliveryClass'>
  /** The shortest pause when nothing is due, and the pause while the queue is down. */
  readonly idleMs: number
}

const deliveryClasses = ['fast', 'slow'] as const

/**
 * Puts due deliveries into the queue until it is stopped. Any number of loops may run.
 *
 * Deliveries that the queue does not take are due again immediately. When one was queued and not claimed in
 * time, the queue hands messages over late, to others, or not at all: then it counts as down, whatever it answers, and
 * the delivery is claimed from the database.
 */
export function enqueueLoop(ports: EnqueueLoopPorts, settings: EnqueueLoopSettings): PollingLoop {
  const { deliveries, queue, health, timer, monotonic, noteUnclaimed, report } = ports
  const { query, idleMs } = settings

  const poll = async (): Promise<number> => {
    if (health.isDown()) return idleMs
    const startedAt = monotonic()
    const queued = await Promise.all(
      deliveryClasses.map((deliveryClass) => deliveries.enqueue({ ...query, deliveryClass })),
    ).then((both) => both.flat(), reportAs('enqueue', undefined))
    if (!queued) return pauseAfterFailure(idleMs)
    const pauseMs = (found: number): number => pauseAfter(idleMs, monotonic() - startedAt, found)
    if (queued.length === 0) return pauseMs(0)
    const refs = queued.map(({ endpointId, eventId }) => ({ endpointId, eventId }))
    const unclaimed = queued.filter(({ wasQueued }) => wasQueued).length
    if (unclaimed > 0) {
      noteUnclaimed(unclaimed)
      report(new Unavailable('queue', unclaimedReason(unclaimed, query.leaseSeconds)), 'unclaimed')
      await leaveToClaims(refs)
      return idleMs
    }
    const messages = queued.map(({ endpointId, eventId, tenantId: group }) => ({ endpointId, eventId, group }))
    const hasRefused = await inWorkSpan(workSpan('queue deliveries'), undefined, async () => {
      const refused = await queue.put(messages).catch(reportAs('put', refs))
      if (refused.length === 0) return false
      await leaveToClaims(refused)
      return true
    })
    if (hasRefused) return idleMs
    return queued.length < query.limit ? pauseMs(1) : 0
  }
  const leaveToClaims = (refs: readonly DeliveryRef[]): Promise<void> => {
    health.noteFailure()
    // If this fails as well, they are due again after `leaseSeconds`.
    return deliveries.requeue(refs).catch(reportAs('requeue', undefined))
  }
  /** Reports the error and goes on with the fallback. */
  const reportAs =
    <T>(step: EnqueueStep, fallback: T) =>
    (error: unknown): T => {
      report(error, step)
      return fallback
    }
  return pollingLoop(poll, timer)
}

const unclaimedReason = (count: number, seconds: number): string =>
  `it answers, but of the deliveries queued ${count} were not claimed within ${seconds} s`
