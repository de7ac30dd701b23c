import type { Logger } from '@quipu/runtime'
import { PARTITIONS, RESUME_LOOP, workerContainer } from './container.ts'
import type { WorkerSettings } from './settings.ts'

export type Worker = {
  /** Claims nothing more, finishes what it has claimed, and closes its connections. */
  stop(): Promise<void>
}

/** Starts a worker in this process; any number may run beside it, here or elsewhere. */
export function startWorker(settings: WorkerSettings, log: Logger): Worker {
  const container = workerContainer(settings, log)
  container.get(PARTITIONS)
  container.get(RESUME_LOOP)
  log.info('worker started')
  return {
    stop: async () => {
      await container.unbindAllAsync()
      log.info('worker stopped')
    },
  }
}
