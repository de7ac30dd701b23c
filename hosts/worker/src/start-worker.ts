import { type Logger, watchesTron } from '@quipu/runtime'
import { workerContainer } from './container.ts'
import { DEPOSIT_LOOP, FAUCET_LOOP, HEAD_LOOP, SOLID_LOOP } from './funding-module.ts'
import type { WorkerSettings } from './settings.ts'
import { PARTITIONS, RESUME_LOOP } from './tokens.ts'

export type Worker = {
  /** Claims nothing more, finishes what it has claimed, and closes its connections. */
  stop(): Promise<void>
}

/** Starts a worker in this process; any number may run beside it, here or elsewhere. */
export function startWorker(settings: WorkerSettings, log: Logger): Worker {
  const container = workerContainer(settings, log)
  const watching = watchesTron(settings) ? [HEAD_LOOP, SOLID_LOOP, DEPOSIT_LOOP, FAUCET_LOOP] : []
  for (const loop of [PARTITIONS, RESUME_LOOP, ...watching]) container.get<unknown>(loop)
  log.info({ deposits: watching.length > 0 }, 'worker started')
  return {
    stop: async () => {
      await container.unbindAllAsync()
      log.info('worker stopped')
    },
  }
}
