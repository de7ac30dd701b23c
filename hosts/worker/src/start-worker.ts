import { withTimeout } from '@quipu/core/adapter'
import { isTronConfigured, type Logger, logOverrides, systemTimer } from '@quipu/runtime'
import { workerContainer } from './composition/container.ts'
import { DATABASE_WATCH, HEARTBEATS, IDENTITY, LOOPS } from './composition/symbols.ts'
import { sendsWebhooks, usesQueue, type WorkerSettings } from './settings/settings.ts'

export type Worker = {
  /**
   * Claims nothing more, finishes the items it has claimed, and closes its connections. Items that
   * are not finished after `STOP_WITHIN_MS` become due again when their leases end.
   */
  stop(): Promise<void>
}

/** Starts a worker in this process. Any number may run beside it, here or elsewhere. */
export function startWorker(settings: WorkerSettings, log: Logger): Worker {
  logOverrides(log, settings)
  const container = workerContainer(settings, log)
  const watch = container.get(DATABASE_WATCH)
  let isStopping = false
  // Leases and records are dated, so the clocks are compared before anything is claimed.
  const starting = watch.compared.then(() =>
    isStopping ? [] : [container.get(HEARTBEATS), ...container.getAll(LOOPS).flat()],
  )
  const deposits = isTronConfigured(settings)
  const webhooks = sendsWebhooks(settings)
  const { id: process } = container.get(IDENTITY)
  log.info({ deposits, webhooks, queue: usesQueue(settings), process }, 'worker started')
  const finish = async (): Promise<true> => {
    const loops = [watch, ...(await starting)]
    await Promise.all(loops.map((loop) => loop.stop()))
    await container.unbindAllAsync()
    return true
  }
  return {
    stop: async () => {
      isStopping = true
      log.info('worker stopping')
      const isFinished = await withTimeout(systemTimer, settings.STOP_WITHIN_MS, finish())
      if (!isFinished)
        log.warn('stopped with items in progress; they become due again when their leases end')
      log.info('worker stopped')
    },
  }
}
