import { withTimeout } from '@quipu/core/adapter'
import {
  boundListener,
  isTronConfigured,
  listen,
  type Listener,
  type Logger,
  logOverrides,
  type LostSpans,
  type NamedLoop,
  namedLoop,
  noLostSpans,
  tokenLookup,
  traceMetrics,
} from '@quipu/runtime'
import { systemTimer } from '@quipu/core/system'
import type { Container } from 'inversify'
import { POSTGRES_STORES } from './composition/adapter-modules.ts'
import { workerContainer } from './composition/container.ts'
import { CLOCK, DATABASE_WATCH, HEARTBEATS, IDENTITY, LOOPS, METRICS } from './composition/symbols.ts'
import { failureCount } from './http/failure-count.ts'
import { workerApp } from './http/worker-app.ts'
import { startedLoops } from './loop/started-loops.ts'
import { workerMetrics } from './metrics/worker-metrics.ts'
import { sendsWebhooks, usesQueue, type WorkerSettings } from './settings/settings.ts'

export type Worker = {
  /** URL of the probes and metrics. */
  readonly url: string
  /**
   * Claims nothing more, finishes the items it has claimed, and closes its connections. Items that
   * are not finished after `STOP_WITHIN_MS` become due again when their leases end.
   */
  stop(): Promise<void>
}

/** How long a stop waits for probes under way. */
const lastProbesMs = 1_000

/**
 * Starts a worker in this process. Any number may run beside it, here or elsewhere.
 *
 * @param lostSpans  what the export of traces has lost up to now
 * @throws BadSettings when its address is in use, or does not belong to this machine
 */
export async function startWorker(
  settings: WorkerSettings,
  log: Logger,
  lostSpans: () => LostSpans = noLostSpans,
): Promise<Worker> {
  logOverrides(log, settings)
  const container = workerContainer(settings, log)
  traceMetrics(container.get(METRICS), lostSpans)
  const watch = container.get(DATABASE_WATCH)
  const { compared } = watch
  const first = namedLoop('database_watch', watch)
  const close = (): Promise<void> => container.unbindAllAsync()
  const loops = startedLoops({ compared, first, start: () => loopsOf(container), close })
  const listener = await listenFor(container, settings, {
    log,
    isServing: () => !loops.isStopping(),
    loops: loops.running,
  }).catch(async (error: unknown) => {
    await loops.stop()
    throw error
  })
  const deposits = isTronConfigured(settings)
  const webhooks = sendsWebhooks(settings)
  const { id: process } = container.get(IDENTITY)
  const { url } = listener
  log.info({ url, deposits, webhooks, queue: usesQueue(settings), process }, 'worker started')
  return {
    url,
    stop: async () => {
      const finished = loops.stop().then(() => true)
      log.info('worker stopping')
      const isFinished = await withTimeout(systemTimer, settings.STOP_WITHIN_MS, finished)
      if (!isFinished) log.warn('stopped with items in progress; they become due again when their leases end')
      await listener.stop(lastProbesMs)
      log.info('worker stopped')
    },
  }
}

const loopsOf = (container: Container): readonly NamedLoop[] => [
  namedLoop('heartbeats', container.get(HEARTBEATS)),
  ...container.getAll(LOOPS).flat(),
]

type Listening = {
  readonly log: Logger
  readonly isServing: () => boolean
  readonly loops: () => readonly NamedLoop[] | undefined
}

/** Listens for probes and scrapes. */
function listenFor(
  container: Container,
  settings: WorkerSettings,
  { log, isServing, loops }: Listening,
): Promise<Listener> {
  const [stores, clock, metrics] = [container.get(POSTGRES_STORES), container.get(CLOCK), container.get(METRICS)]
  workerMetrics(metrics, { ...stores, now: clock.now, loops: () => loops() ?? [] }, settings)
  const app = workerApp({
    readiness: {
      isServing,
      clockAheadMs: clock.aheadMs,
      pingDatabase: stores.ping,
      readGate: () => stores.restores.gate(),
      timer: systemTimer,
    },
    loops,
    metrics,
    log,
    findOperator: tokenLookup(stores.operatorTokens, clock.now),
    countFailure: failureCount({ audit: stores.audit, now: clock.now, timer: systemTimer, log }),
  })
  const address = { host: settings.WORKER_HOST, port: settings.WORKER_PORT }
  return boundListener('WORKER_HOST, WORKER_PORT', listen(app, address))
}
