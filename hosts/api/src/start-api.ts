import type { RequestListener } from 'node:http'
import type { Clock, Ids } from '@quipu/core'
import { cellIds, installationIds, withTimeout } from '@quipu/core/adapter'
import type { Fault } from '@quipu/core/operator'
import type { PostgresStores } from '@quipu/postgres'
import {
  boundListener,
  databaseClock,
  type DatabaseClock,
  databaseWatch,
  type DatabaseWatch,
  drain,
  heartbeats,
  type Listener,
  type Logger,
  logOverrides,
  type LostSpans,
  loopMetrics,
  type Metrics,
  type NamedLoop,
  namedLoop,
  noLostSpans,
  processMetrics,
  thisProcess,
  traceMetrics,
} from '@quipu/runtime'
import { systemClock, systemIds, systemMonotonic, systemPorts, type SystemPorts, systemTimer } from '@quipu/core/system'
import { Container } from 'inversify'
import { type ProcessAlerts, processAlerts } from './composition/alerting.ts'
import { adapterModule, type AlertingLog, POSTGRES_STORES } from './composition/adapter-module.ts'
import { chainModule } from './composition/chain-module.ts'
import { type Apps, composeApps } from './composition/create-app.ts'
import { webhookAdapterModule } from './composition/webhook-adapter-module.ts'
import { faultWatch } from './fault/fault-watch.ts'
import { listen } from './http/listener.ts'
import { factorRenewal } from './operator/session/factor-renewal.ts'
import type { System } from './ports.ts'
import { faultLasting } from './settings/fault-settings.ts'
import type { ApiSettings } from './settings/settings.ts'

export type Api = {
  /** URL of the public listener, without `/v1`. */
  readonly url: string
  /** URL of the operator listener, without `/operator/v1`. */
  readonly operatorUrl: string
  /**
   * Answers `/readyz` with 503 for `DRAIN_SECONDS` and serves other requests. Then takes no more requests,
   * finishes running ones and their payments, and closes every connection. Cuts off what is left after `STOP_WITHIN_MS`.
   */
  stop(): Promise<void>
}

/** How long the start waits for the first comparison of the clocks, which dates all records. */
const firstComparisonMs = 1_000

/**
 * Starts both listeners over PostgreSQL and the QR network in this process.
 *
 * @param lostSpans  what the export of traces has lost up to now
 * @throws BadSettings when an address is in use, or does not belong to this machine
 */
export async function startApi(
  settings: ApiSettings,
  log: Logger,
  lostSpans: () => LostSpans = noLostSpans,
): Promise<Api> {
  logOverrides(log, settings)
  const clock = databaseClock(systemClock, systemMonotonic)
  const listeners: Listener[] = []
  const timing = { seconds: settings.DRAIN_SECONDS, timer: systemTimer }
  const draining = drain(timing, () => listeners)
  const metrics = processMetrics()
  traceMetrics(metrics, lostSpans)
  const ids = cellIds(settings.CELL, systemIds)
  const alerting = processAlerts(settings, { log, ids, now: clock.now })
  const container = adaptersOf(settings, clock.now, metrics, { log, ...alerting })
  const stores = container.get(POSTGRES_STORES)
  const system = systemOf(clock, log, { ...draining, ...stores, ids, alerting })
  const { publicApp, operatorApp, ...shared } = composeApps(container, { system, settings, metrics })
  const watch = watchDatabase(container, clock, { log, ...alerting })
  const identity = thisProcess('api')
  const loops = [
    namedLoop('database_watch', watch),
    ...processLoops(container, { ...shared, identity, clock, log, settings, alerting, ids }),
    ...alerting.loops(stores.operatorAlerts),
    namedLoop('second_factor_renewal', factorRenewal({ ...system, ...stores }, settings.OPERATOR_SIGN_IN_KEY)),
  ]
  loopMetrics(metrics, () => loops)
  let stopping: Promise<void> | undefined

  async function stop(): Promise<void> {
    const startedAt = performance.now()
    const leftMs = (): number => Math.max(0, settings.STOP_WITHIN_MS - (performance.now() - startedAt))
    const answered = await Promise.all(listeners.map((listener) => listener.stop(leftMs())))
    const settled = await system.settled(leftMs())
    if (!settled || answered.includes(false)) log.warn(unfinishedText)
    await withTimeout(
      systemTimer,
      leftMs(),
      Promise.all(loops.map((loop) => loop.stop()))
        .then(alerting.stop)
        .then(() => container.unbindAllAsync()),
    )
    log.info('api stopped')
  }

  try {
    await withTimeout(systemTimer, firstComparisonMs, watch.compared)
    const bind = bound(settings, listeners)
    const tenants = await bind('', publicApp)
    const operators = await bind('OPERATOR_', operatorApp)
    const urls = { url: tenants.url, operator_url: operators.url }
    log.info({ ...urls, process: identity.id }, 'api started')
    return { url: tenants.url, operatorUrl: operators.url, stop: () => (stopping ??= draining.begin().then(stop)) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Binds the addresses of both listeners, and adds each to those that a stop closes. */
const bound =
  (settings: ApiSettings, listeners: Listener[]) =>
  async (prefix: '' | 'OPERATOR_', app: RequestListener): Promise<Listener> => {
    const [host, port] = [`${prefix}HOST`, `${prefix}PORT`] as const
    const address = { host: settings[host], port: settings[port] }
    const docsUrl = settings[`${prefix}DOCS_URL`]
    const listener = await boundListener(`${host}, ${port}`, listen(app, address, docsUrl))
    listeners.push(listener)
    return listener
  }

const unfinishedText =
  'api stopped before every request and payment had ended; a worker settles open payouts when their leases end'

const systemOf = (
  { now, aheadMs: clockAheadMs }: DatabaseClock,
  log: Logger,
  {
    isServing,
    installation,
    ids,
    alerting,
  }: Pick<System, 'isServing' | 'ids' | 'alerting'> & Pick<PostgresStores, 'installation'>,
): System & SystemPorts => ({
  ...systemPorts({ onError: (error) => log.error({ err: error }, backgroundFailedText) }),
  now,
  clockAheadMs,
  log,
  isServing,
  ids: installationIds(installation, ids),
  ...(alerting && { alerting }),
})

const backgroundFailedText = 'background work failed; a worker settles an open payout when its lease ends'

function adaptersOf(settings: ApiSettings, now: Clock, metrics: Metrics, alerts: AlertingLog): Container {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(adapterModule(settings, now, metrics, alerts), chainModule(settings, metrics))
  container.load(webhookAdapterModule(settings))
  return container
}

function watchDatabase(container: Container, clock: DatabaseClock, { log, raiseAlert }: AlertingLog): DatabaseWatch {
  const { ping, whySilent, isStandbyMissing } = container.get(POSTGRES_STORES)
  const system = { timer: systemTimer, monotonic: systemMonotonic }
  return databaseWatch({ ping, whySilent, isStandbyMissing, clock, raiseAlert, log, ...system })
}

type ProcessContext = {
  readonly identity: ReturnType<typeof thisProcess>
  readonly clock: DatabaseClock
  readonly log: Logger
  readonly settings: ApiSettings
  readonly alerting: ProcessAlerts
  readonly ids: Ids
} & Pick<Apps, 'findFaults' | 'limits' | 'journal'>

/** Records that this process runs, alerts what does not, and shares the rate limits. */
function processLoops(
  container: Container,
  { identity, clock, log, settings, findFaults, limits, journal, alerting, ids }: ProcessContext,
): readonly NamedLoop[] {
  const { processes, rateLimits, operatorAlerts } = container.get(POSTGRES_STORES)
  const report = (error: unknown): void => log.error({ err: error }, 'recording this process failed; retrying')
  const unshared = (error: unknown): void => log.error({ err: error }, 'sharing the rate limits failed; retrying')
  const unlogged = (error: unknown): void => log.error({ err: error }, 'writing the log of requests failed; retrying')
  const { aheadMs } = clock
  const system = { timer: systemTimer, monotonic: systemMonotonic }
  const see = async (faults: readonly Fault[]): Promise<void> => {
    if (alerting.attempt === undefined) return
    const raisedAt = clock.now()
    await operatorAlerts.see(
      faults.map((each) => ({ ...each, tenantId: null, id: ids.next('alt', raisedAt), raisedAt })),
    )
  }
  const watchPorts = { findFaults, see, raiseAlert: alerting.raiseAlert, log, ...system }
  return [
    namedLoop('heartbeats', heartbeats({ processes, aheadMs, ...system, report }, identity)),
    namedLoop('fault_watch', faultWatch(watchPorts, faultLasting(settings))),
    namedLoop('rate_limits', limits.share({ store: rateLimits, timer: systemTimer, report: unshared })),
    namedLoop('request_log', journal.write({ timer: systemTimer, report: unlogged })),
  ]
}
