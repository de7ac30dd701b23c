import type { ClaimedDelivery, DeliveryRef, Timer, WakeMessage, WakeQueue } from '@quipu/core'
import { pollingLoop } from '@quipu/runtime'
import type { ClaimLoop } from '../loop/claim-loop.ts'
import { crew } from '../loop/task-pool.ts'
import type { QueueHealth } from './queue-health.ts'

export type WakeLoopPorts = {
  readonly queue: Pick<WakeQueue, 'take'>
  readonly claim: (ref: DeliveryRef, leaseSeconds: number) => Promise<ClaimedDelivery | undefined>
  readonly work: (claimed: ClaimedDelivery) => Promise<unknown>
  readonly health: QueueHealth
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

export type WakeLoopSettings = {
  /** Deliveries worked on at the same time. */
  readonly atOnce: number
  readonly leaseSeconds: number
  /** How long an empty queue is waited for. */
  readonly waitSeconds: number
  /** So many wait for messages side by side. */
  readonly receivers: number
  /** The pause when the queue is down, or what messages are worked on with. */
  readonly idleMs: number
}

/** What SQS gives at a time. */
const takenAtOnce = 10

/**
 * Works on the deliveries that messages tell of, for as long as it runs.
 *
 * A message is acknowledged only after its delivery's attempt is on record, or when there is nothing
 * to claim: another worker has it, it has ended, or its time has not come. Whoever dies in between
 * loses nothing, since the delivery is handed out again.
 */
export function wakeLoop(ports: WakeLoopPorts, settings: WakeLoopSettings): ClaimLoop {
  const { queue, claim, work, health, timer, report } = ports
  const { size, start, left, idle } = crew()
  /** Room that is kept for messages which are being waited for. */
  let reserved = 0
  /** The last message could not be worked on. */
  let isFailing = false
  const stopping = new AbortController()

  async function handle({ ref, acknowledge }: WakeMessage): Promise<void> {
    try {
      const claimed = await claim(ref, settings.leaseSeconds)
      if (claimed) await work(claimed)
      await acknowledge()
      isFailing = false
    } catch (error) {
      isFailing = true
      report(error) // The message comes again.
    }
  }

  const round = async (): Promise<number> => {
    // What is taken in vain is told of, and is nearer to the dead letters: one, to see how it fares.
    const wasFailing = isFailing
    const most = wasFailing ? 1 : takenAtOnce
    const room = Math.min(most, settings.atOnce - size() - reserved)
    if (room <= 0) {
      await (size() > 0 ? left() : timer(settings.idleMs).done)
      return 0
    }
    reserved += room
    try {
      const messages = await queue.take(room, settings.waitSeconds, stopping.signal)
      for (const message of messages) start(handle(message))
      return wasFailing ? settings.idleMs : 0
    } catch (error) {
      if (stopping.signal.aborted) return settings.idleMs
      report(error)
      health.noteFailure()
      return settings.idleMs
    } finally {
      reserved -= room
    }
  }

  const loop = Array.from({ length: settings.receivers }, () => pollingLoop(round, timer))
  return {
    stop: async () => {
      const stopped = loop.map((turn) => turn.stop())
      stopping.abort()
      await Promise.all(stopped)
      await idle()
    },
  }
}
