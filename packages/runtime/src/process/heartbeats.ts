import { hostname } from 'node:os'
import { type Timer, Unavailable } from '@quipu/core'
import { heartbeatSeconds, type ProcessStore, type ServiceProcess } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from './polling-loop.ts'
import { systemClock, systemIds } from '@quipu/core/system'

/** This process as other ones see it, with an id of its own. */
export const thisProcess = (program: ServiceProcess['program']): Omit<ServiceProcess, 'aheadMs'> => ({
  id: systemIds.next('prc', systemClock()),
  program,
  host: hostname(),
})

export type HeartbeatPorts = {
  readonly processes: Pick<ProcessStore, 'beat' | 'end'>
  /** Milliseconds that the process's clock is ahead of the store's. */
  readonly aheadMs: () => number
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

/**
 * Records every `heartbeatSeconds` that the process runs; a stop records its end. An unavailable store is not
 * reported, as the database watch alerts it.
 */
export function heartbeats(
  { processes, aheadMs, timer, report }: HeartbeatPorts,
  process: Omit<ServiceProcess, 'aheadMs'>,
): PollingLoop {
  const reported = (error: unknown): void => {
    if (!(error instanceof Unavailable)) report(error)
  }
  const loop = pollingLoop(async () => {
    await processes.beat({ ...process, aheadMs: Math.round(aheadMs()) }).catch(reported)
    return heartbeatSeconds * 1000
  }, timer)
  return {
    ...loop,
    stop: async () => {
      await loop.stop()
      await processes.end(process.id).catch(reported)
    },
  }
}
