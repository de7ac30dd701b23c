import { type RateSource, screenSubjects, Unavailable } from '@quipu/core'
import type { Backlog } from '@quipu/core/adapter'
import { type FindFaults, findFaults, type FindFaultsPorts } from '@quipu/core/operator'
import {
  backlogReader,
  measuredNetwork,
  measuredScreening,
  measuredStores,
  type Metrics,
  prometheusMetrics,
} from '@quipu/runtime'
import type { Express } from 'express'
import { Container } from 'inversify'
import type { Extension } from '../extension.ts'
import { apiMetrics } from '../metrics/api-metrics.ts'
import { watchedRates } from '../fault/market-guard.ts'
import { rateReader } from '../fault/rate-reader.ts'
import { type RequestJournal, requestJournal } from '../http/request-journal.ts'
import { type SharedLimits, sharedLimits } from '../http/limit/shared-limits.ts'
import type { AppBase, AppPorts, Funding, Paying, Stores, Sweeping, System, Tenancy, Webhooks } from '../ports.ts'
import { faultLimits } from '../settings/fault-settings.ts'
import type { AppSettings } from '../settings/settings.ts'
import { appModule } from './app-module.ts'
import { fundingModule } from './funding-module.ts'
import { payingModule } from './paying-module.ts'
import {
  APP_BASE,
  CHAIN,
  EXPOSURE,
  EXTENSION,
  FUNDING,
  METRICS,
  NETWORK,
  OPERATOR_APP,
  PAYING,
  PUBLIC_APP,
  RATES,
  SCREEN,
  SCREENING,
  STORES,
  SWEEPING,
  SYSTEM,
  TENANCY,
  WEBHOOK_PORTS,
  WEBHOOKS,
} from './symbols.ts'
import { raiseAlertOf } from './raise-alert.ts'
import { reportModule } from './report-module.ts'
import { sweepModule } from './sweep-module.ts'
import { tenancyModule } from './tenancy-module.ts'
import { webhookModule } from './webhook-module.ts'

export type Apps = {
  readonly publicApp: Express
  readonly operatorApp: Express
  readonly findFaults: FindFaults
  /** Hold for this process alone until they are shared. */
  readonly limits: SharedLimits
  /** Writes nothing before `write` or `flush`. */
  readonly journal: RequestJournal
}

/**
 * The Express apps of the API over any ports, listening nowhere: for tests, benchmarks and embedding.
 *
 * @example
 * const { publicApp } = createApp({ stores, network, rates, system }, AppSettings.parse({}))
 * publicApp.listen(4000)
 */
export function createApp(ports: AppPorts, settings: AppSettings): Apps {
  const { system, extension } = ports
  const metrics = prometheusMetrics()
  return composeApps(containerOf(ports, metrics), { system, settings, metrics, extension })
}

/** The ports that the routes call. */
export type UseCases = {
  readonly tenancy: Tenancy
  readonly paying: Paying
  readonly funding: Funding
  readonly webhooks: Webhooks | undefined
  readonly sweeping: Sweeping | undefined
}

/** The use cases of the apps without their routes, over any ports: for simulations. */
export function composeUseCases(ports: AppPorts, settings: AppSettings, metrics: Metrics): UseCases {
  const { system, extension } = ports
  const container = containerOf(ports, metrics)
  loadModules(container, { system, settings, metrics, extension })
  return {
    tenancy: container.get(TENANCY),
    paying: container.get(PAYING),
    funding: container.get(FUNDING),
    webhooks: container.get(WEBHOOKS),
    sweeping: container.get(SWEEPING),
  }
}

/** A container to which the ports are bound. */
function containerOf(ports: AppPorts, metrics: Metrics): Container {
  const { rates, webhooks } = ports
  const network = measuredNetwork(metrics, 'embedded', ports.network)
  const container = new Container({ defaultScope: 'Singleton' })
  container.bind(STORES).toConstantValue(measuredStores(metrics, ports.stores, raiseAlertOf(ports.system)))
  container.bind(NETWORK).toConstantValue({ ...ports, network })
  container.bind(RATES).toConstantValue(watchedRates(rates))
  const { screening } = ports
  container.bind(SCREENING).toConstantValue(screening && measuredScreening(metrics, screening))
  container.bind(CHAIN).toConstantValue(ports)
  container.bind(WEBHOOK_PORTS).toConstantValue(webhooks)
  return container
}

export type Composition = {
  readonly system: System
  readonly settings: AppSettings
  readonly metrics: Metrics
  readonly extension?: Extension | undefined
}

/**
 * The apps over a container to which stores, network, rates, chain and webhook ports are bound.
 *
 * @param container  its scope is `Singleton`
 */
export function composeApps(container: Container, composition: Composition): Apps {
  const limits = loadModules(container, composition)
  const { findFaults, journal } = container.get(APP_BASE)
  return { publicApp: container.get(PUBLIC_APP), operatorApp: container.get(OPERATOR_APP), findFaults, limits, journal }
}

function loadModules(container: Container, composition: Composition): SharedLimits {
  const { system, settings, extension = {} } = composition
  container.bind(SYSTEM).toConstantValue(system)
  container.bind(METRICS).toConstantValue(composition.metrics)
  container.bind(EXTENSION).toConstantValue(extension)
  container
    .bind(SCREEN)
    .toResolvedValue(
      (screening, { screeningCases: cases }) =>
        screening &&
        screenSubjects(
          { screening, cases, ids: system.ids, now: system.now, raiseAlert: raiseAlertOf(system) },
          { clearSeconds: settings.SCREENING_CLEAR_SECONDS },
        ),
      [SCREENING, STORES],
    )
  const limits = sharedLimits(system.now)
  container
    .bind(APP_BASE)
    .toResolvedValue(
      (stores, source, { topUps }, { recent }) => ({
        stores,
        system,
        limits,
        journal: requestJournal({ store: stores.requests, ...system }, composition.metrics),
        ...watched(composition, stores, source, { runMacKeys: topUps?.addressMacKeys, exposure: recent }),
        health: {
          isServing: system.isServing,
          clockAheadMs: system.clockAheadMs ?? (() => 0),
          pingDatabase: stores.ping,
          readGate: () => stores.restores.gate(),
          timer: system.timer,
        },
      }),
      [STORES, RATES, CHAIN, EXPOSURE],
    )
  container.load(tenancyModule(settings), payingModule(settings), fundingModule(settings))
  container.load(webhookModule(settings), sweepModule(), reportModule(settings), appModule(settings))
  return limits
}

/** Metrics and faults, over one reading of backlog and rates. */
function watched(
  { system, settings, metrics }: Composition,
  { backlog, networks, processes, restores }: Stores,
  source: RateSource,
  more: Pick<FindFaultsPorts, 'runMacKeys' | 'exposure'>,
): Pick<AppBase, 'metrics' | 'findFaults' | 'readBacklog'> {
  const { now } = system
  const limits = faultLimits(settings)
  const readBacklog = backlogReader(() => backlog.read(), system)
  const rates = rateReader(source, now)
  const read = async (): Promise<Backlog> => {
    const found = await readBacklog()
    if (found === undefined) throw new Unavailable('store', 'the backlog could not be read in time')
    return found
  }
  const faults = findFaults({ processes, backlog: { read }, networks, restores, rates, ...more }, limits)
  const sources = { readBacklog, processes, restores, rates, findFaults: faults, now }
  return { metrics: apiMetrics(metrics, sources, limits.processMissingSeconds), readBacklog: read, findFaults: faults }
}
