import { within } from '@quipu/core'
import {
  type Logger,
  logOverrides,
  type PollingLoop,
  systemTimer,
  isTronConfigured,
} from '@quipu/runtime'
import { workerContainer } from './composition/container.ts'
import { type Delivering, delivers, QUICK_LOOP, SLOW_LOOP } from './composition/webhook-module.ts'
import {
  CREDIT_WATCH,
  DEPOSIT_LOOP,
  FAUCET_LOOP,
  HEAD_LOOP,
  SOLID_LOOP,
} from './composition/funding-module.ts'
import { DEAD_LETTER_WATCH, DISPATCH_LOOP, queues, WAKE_LOOP } from './composition/queue-module.ts'
import type { WorkerSettings } from './settings/settings.ts'
import {
  CHECKPOINTS,
  DATABASE_WATCH,
  LEDGER_WATCH,
  PARTITIONS,
  RESUME_LOOP,
} from './composition/symbols.ts'

export type Worker = {
  /**
   * Claims nothing more, finishes what it has claimed, and closes its connections; leaves what is not
   * finished after `STOP_WITHIN_MS`, which becomes due again by itself.
   */
  stop(): Promise<void>
}

const wakingOf = (settings: Delivering) => {
  if (!queues(settings)) return []
  const watching = settings.SQS_DEAD_LETTER_URL === undefined ? [] : [DEAD_LETTER_WATCH]
  return [DISPATCH_LOOP, WAKE_LOOP, ...watching]
}

/** Starts a worker in this process; any number may run beside it, here or elsewhere. */
export function startWorker(settings: WorkerSettings, log: Logger): Worker {
  logOverrides(log, settings)
  const container = workerContainer(settings, log)
  const watching = isTronConfigured(settings)
    ? [HEAD_LOOP, SOLID_LOOP, DEPOSIT_LOOP, CREDIT_WATCH, FAUCET_LOOP]
    : []
  const delivering = delivers(settings) ? [QUICK_LOOP, SLOW_LOOP, ...wakingOf(settings)] : []
  const watch = container.get(DATABASE_WATCH)
  let isStopping = false
  // What is claimed is dated: first the clocks are compared.
  const starting = watch.compared.then(() =>
    [PARTITIONS, CHECKPOINTS, LEDGER_WATCH, RESUME_LOOP, ...watching, ...delivering].flatMap(
      (loop) => (isStopping ? [] : container.get<PollingLoop>(loop)),
    ),
  )
  const work = { deposits: watching.length > 0, webhooks: delivering.length > 0 }
  log.info({ ...work, queue: queues(settings) }, 'worker started')
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
      const isFinished = await within(systemTimer, settings.STOP_WITHIN_MS, finish())
      if (!isFinished)
        log.warn('stopped before everything was finished; what is open becomes due again by itself')
      log.info('worker stopped')
    },
  }
}
