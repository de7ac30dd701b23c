import type { Timer } from '@quipu/core'
import type { WakeQueue, ClaimedDelivery, DeliveryRef, WakeMessage } from '@quipu/core/adapter'
import { type LoopActivity, type PollingLoop, pollingLoop } from '@quipu/runtime'
import { inWorkSpan, type SpanFacts } from '@quipu/tracing'
import { taskPool } from '../loop/task-pool.ts'
import { workSpan } from '../loop/work-span.ts'
import type { QueueHealth } from './queue-health.ts'

export type WakeLoopPorts = {
  readonly queue: Pick<WakeQueue, 'take'>
  readonly claim: (ref: DeliveryRef, leaseSeconds: number) => Promise<ClaimedDelivery | undefined>
  readonly work: (claimed: ClaimedDelivery) => Promise<unknown>
  readonly health: QueueHealth
  readonly timer: Timer
  readonly report: (error: unknown, step: 'take' | 'work') => void
}

export type WakeLoopSettings = {
  /** Deliveries in progress at the same time. */
  readonly concurrency: number
  readonly leaseSeconds: number
  /** How long a request to an empty queue waits for messages. */
  readonly waitSeconds: number
  /** Requests for messages at the same time. */
  readonly receivers: number
  /** The pause after a failed request or delivery. */
  readonly idleMs: number
}

/** SQS gives at most ten messages for a request. */
const messagesPerRequest = 10

/**
 * Works on the deliveries that the queue's messages name, until it is stopped.
 *
 * A message is acknowledged once its delivery's attempt is recorded, or when the delivery cannot be
 * claimed: another worker has it, it has ended, or it is not due yet. A worker that dies before that
 * loses nothing, since the delivery is queued again.
 *
 * @returns a loop whose stop resolves when the messages in progress are done
 */
export function wakeLoop(ports: WakeLoopPorts, settings: WakeLoopSettings): PollingLoop {
  const { queue, claim, work, health, timer, report } = ports
  const tasks = taskPool()
  /** Tasks reserved for messages of open requests. */
  let reserved = 0
  let hasLastFailed = false
  const stopping = new AbortController()

  const process = messageProcess(claim, work, settings.leaseSeconds)

  async function handle(message: WakeMessage): Promise<void> {
    try {
      await process(message)
      hasLastFailed = false
    } catch (error) {
      hasLastFailed = true
      report(error, 'work') // The message becomes visible again.
    }
  }

  const poll = async (): Promise<number> => {
    // After a failure take one message: each one that fails writes a log line and comes nearer to the dead letters.
    const isProbing = hasLastFailed
    const limit = isProbing ? 1 : messagesPerRequest
    const free = Math.min(limit, settings.concurrency - tasks.size() - reserved)
    if (free <= 0) {
      await (tasks.size() > 0 ? tasks.nextEnd() : timer(settings.idleMs).done)
      return 0
    }
    reserved += free
    try {
      const messages = await inWorkSpan(workSpan('receive messages'), undefined, () =>
        queue.take(free, settings.waitSeconds, stopping.signal),
      )
      for (const message of messages) tasks.start(handle(message))
      return isProbing ? settings.idleMs : 0
    } catch (error) {
      if (stopping.signal.aborted) return settings.idleMs
      report(error, 'take')
      health.noteFailure()
      return settings.idleMs
    } finally {
      reserved -= free
    }
  }

  const receivers = Array.from({ length: settings.receivers }, () => pollingLoop(poll, timer))
  return {
    stop: async () => {
      const stopped = receivers.map((receiver) => receiver.stop())
      stopping.abort()
      await Promise.all(stopped)
      await tasks.idle()
    },
    activity: () => activityOf(receivers),
  }
}

/** Works on the delivery that a message names, in a span when its sender recorded one. */
const messageProcess = (
  claim: WakeLoopPorts['claim'],
  work: WakeLoopPorts['work'],
  leaseSeconds: number,
): ((message: WakeMessage) => Promise<void>) => {
  const process = async ({ ref, acknowledge }: WakeMessage): Promise<void> => {
    const claimed = await claim(ref, leaseSeconds)
    if (claimed) await work(claimed)
    await acknowledge()
  }
  return (message) =>
    message.traceparent === undefined
      ? process(message)
      : inWorkSpan(messageSpan, message.traceparent, () => process(message))
}

const messageSpan: SpanFacts = { ...workSpan('process message'), kind: 'consumer' }

function activityOf(receivers: readonly PollingLoop[]): LoopActivity {
  const each = receivers.map((receiver) => receiver.activity())
  return {
    polls: each.reduce((sum, { polls }) => sum + polls, 0),
    pollingMs: Math.max(...each.map(({ pollingMs }) => pollingMs)),
  }
}
