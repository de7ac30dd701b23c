import type { DeliveryClaimQuery, DeliveryStore, Timer, WakeQueue } from '@quipu/core'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import { pauseAfter, pauseAfterFault } from '../loop/poll-pause.ts'
import type { QueueHealth } from './queue-health.ts'

export type DispatchLoopPorts = {
  readonly deliveries: Pick<DeliveryStore, 'enqueue' | 'requeue'>
  readonly queue: Pick<WakeQueue, 'put'>
  readonly health: QueueHealth
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

export type DispatchLoopSettings = {
  /** What is handed out is due again after `leaseSeconds`, if nobody has claimed it. */
  readonly query: Omit<DeliveryClaimQuery, 'deliveryClass'>
  /** The pause when nothing is due, or when the queue is down. */
  readonly idleMs: number
}

const lanes = ['fast', 'slow'] as const

/**
 * Puts deliveries that are due into the queue, for as long as it runs. Any number may run.
 *
 * What the queue does not take is due again at once, and what it loses is handed out again: the
 * database is the schedule, and the queue only wakes workers.
 */
export function dispatchLoop(
  ports: DispatchLoopPorts,
  settings: DispatchLoopSettings,
): PollingLoop {
  const { deliveries, queue, health, timer, report } = ports
  const { query, idleMs } = settings

  const round = async (): Promise<number> => {
    if (health.isDown()) return idleMs
    const askedAt = performance.now()
    const handedOut = await Promise.all(
      lanes.map((deliveryClass) => deliveries.enqueue({ ...query, deliveryClass })),
    ).then((both) => both.flat(), report)
    if (!handedOut) return pauseAfterFault(idleMs)
    if (handedOut.length === 0) return pauseAfter(idleMs, askedAt, 0)
    const messages = handedOut.map(({ tenantId: group, ...ref }) => ({ ...ref, group }))
    const refs = handedOut.map(({ endpointId, eventId }) => ({ endpointId, eventId }))
    const left = await queue.put(messages).catch(noteAs(refs))
    if (left.length === 0)
      return handedOut.length < query.limit ? pauseAfter(idleMs, askedAt, 1) : 0
    health.noteFailure()
    // If this fails as well, they are due again when the time that they were handed out for is over.
    await deliveries.requeue(left).catch(noteAs(undefined))
    return idleMs
  }
  const noteAs =
    <T>(instead: T) =>
    (error: unknown): T => {
      report(error)
      return instead
    }
  return pollingLoop(round, timer)
}
