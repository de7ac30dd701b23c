import { type Clock, withTimeout } from '@quipu/core'
import type { PostgresStores } from '@quipu/postgres'
import {
  background,
  BadSettings,
  databaseClock,
  type DatabaseClock,
  databaseWatch,
  type DatabaseWatch,
  type Logger,
  logAlert,
  logOverrides,
  processMetrics,
  systemClock,
  systemIds,
  systemMonotonic,
  systemRandom,
  systemTimer,
} from '@quipu/runtime'
import { Container, type ServiceIdentifier } from 'inversify'
import { adapterModule } from './composition/adapter-module.ts'
import { composeApps } from './composition/create-app.ts'
import { fundingAdapters } from './composition/funding-adapters.ts'
import { listen, type Listener } from './http/listener.ts'
import type { ApiSettings } from './settings/settings.ts'
import { STORES } from './ports.ts'
import { webhookAdapters } from './composition/webhook-adapters.ts'

export type Api = {
  /** Where tenants call, without `/v1`. */
  readonly url: string
  /** Where operators call, without `/operator/v1`. */
  readonly operatorUrl: string
  /**
   * Takes no more requests, finishes those in flight and the payments that go on behind them, and
   * closes every connection; cuts off what is left after `STOP_WITHIN_MS`.
   */
  stop(): Promise<void>
}

/** What is created is dated: first the clocks are compared, unless the database does not answer. */
const firstComparisonMs = 1_000

/**
 * Starts both listeners over PostgreSQL and the QR network in this process.
 *
 * @throws BadSettings when an address is taken, or none of this machine's
 */
export async function startApi(settings: ApiSettings, log: Logger): Promise<Api> {
  let isServing = true
  logOverrides(log, settings)
  const work = background((error) => log.error({ err: error }, 'background work failed'))
  const clock = databaseClock(systemClock, systemMonotonic)
  const system = {
    now: clock.now,
    clockAheadMs: clock.aheadMs,
    monotonic: systemMonotonic,
    timer: systemTimer,
    ids: systemIds,
    random: systemRandom,
    log,
    background: work,
    isServing: () => isServing,
  }
  const container = adaptersOf(settings, clock.now)
  const metrics = processMetrics()
  const { publicApp, operatorApp } = composeApps(container, system, settings, metrics)
  const watch = watchDatabase(container, clock, log)
  const { HOST, PORT, OPERATOR_HOST, OPERATOR_PORT, STOP_WITHIN_MS } = settings
  const listeners: Listener[] = []
  let stopping: Promise<void> | undefined

  async function stop(): Promise<void> {
    isServing = false
    const startedAt = performance.now()
    const left = (): number => Math.max(0, STOP_WITHIN_MS - (performance.now() - startedAt))
    const answered = await Promise.all(listeners.map((listener) => listener.stop(left())))
    const settled = await work.settled(left())
    if (!settled || answered.includes(false)) {
      log.warn('stopped before everything was finished; what is open is taken up by a worker')
    }
    await withTimeout(
      systemTimer,
      left(),
      watch.stop().then(() => container.unbindAllAsync()),
    )
    log.info('api stopped')
  }

  try {
    await withTimeout(systemTimer, firstComparisonMs, watch.compared)
    const own = await bound('HOST, PORT', listen(publicApp, { host: HOST, port: PORT }))
    listeners.push(own)
    const operatorAddress = { host: OPERATOR_HOST, port: OPERATOR_PORT }
    const operators = await bound(
      'OPERATOR_HOST, OPERATOR_PORT',
      listen(operatorApp, operatorAddress),
    )
    listeners.push(operators)
    log.info({ url: own.url, operator_url: operators.url }, 'api started')
    return { url: own.url, operatorUrl: operators.url, stop: () => (stopping ??= stop()) }
  } catch (error) {
    await stop()
    throw error
  }
}

function adaptersOf(settings: ApiSettings, now: Clock): Container {
  const container = new Container()
  container.load(fundingAdapters(settings), webhookAdapters(settings), adapterModule(settings, now))
  return container
}

function watchDatabase(container: Container, clock: DatabaseClock, log: Logger): DatabaseWatch {
  const { ping } = container.get(STORES as ServiceIdentifier<PostgresStores>)
  const system = { timer: systemTimer, monotonic: systemMonotonic }
  return databaseWatch({ ping, clock, raiseAlert: logAlert(log), log, ...system })
}

/** The listener, unless its address cannot be had: then what the settings are that say it. */
async function bound(variables: string, listening: Promise<Listener>): Promise<Listener> {
  try {
    return await listening
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause
    const lines = `These settings cannot be used:\n  ${variables}: ${cause.message}`
    throw new BadSettings(lines, { cause })
  }
}
