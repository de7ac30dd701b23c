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
 * Looks once a minute whether there are dead letters, and raises the alarm when they have become more.
 *
 * No delivery is lost with them, the database hands it out again; but workers have died with it in
 * hand again and again.
 */
export function deadLetterWatch(ports: DeadLetterWatchPorts, queueUrl: string): PollingLoop {
  const { count, raiseAlert, timer, report } = ports
  let known = 0
  const look = async (): Promise<void> => {
    const found = await count()
    if (found > known) {
      const detail = `${found} messages were received too often; their deliveries are not lost`
      raiseAlert({ code: 'DEAD_LETTERS', tenantId: null, subject: queueUrl, detail })
    }
    known = found
  }
  return every(pauseMs)(look, timer, report)
}
