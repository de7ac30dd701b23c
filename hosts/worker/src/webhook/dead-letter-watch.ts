import type { RaiseAlert, Timer } from '@quipu/core'
import type { PollingLoop } from '@quipu/runtime'
import { every } from '../maintenance/periodic-task.ts'

export type DeadLetterWatchPorts = {
  readonly count: () => Promise<number>
  readonly raiseAlert: RaiseAlert
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

const pauseMs = 60_000

/**
 * Counts the dead letters once a minute, and raises an alert when there are more than at the last count.
 *
 * Dead letters lose no delivery, since the database queues it again. They mean that workers died
 * repeatedly while they worked on it.
 */
export function deadLetterWatch(ports: DeadLetterWatchPorts, queueUrl: string): PollingLoop {
  const { count, raiseAlert, timer, report } = ports
  let lastCount = 0
  const compare = async (): Promise<void> => {
    const found = await count()
    if (found > lastCount) {
      const detail = `${found} messages were received too often; their deliveries are queued again`
      raiseAlert({ code: 'DEAD_LETTERS', tenantId: null, subject: queueUrl, detail })
    }
    lastCount = found
  }
  return every(pauseMs)(compare, timer, report)
}
