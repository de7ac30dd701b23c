import { logAlert, type Logger, type Metrics, type NamedLoop } from '@quipu/runtime'
import { Container } from 'inversify'
import { workLog } from '../loop/work-log.ts'
import type { WorkerContext, WorkerPorts } from '../ports.ts'
import { countSlices } from '../metrics/count-slices.ts'
import type { WorkerSettings } from '../settings/settings.ts'
import { loopModules } from './loop-modules.ts'
import { CHAIN, LOOPS, NETWORK, NOTICE_SENDER, QUEUE, SCREENING, SENDER, STORES } from './symbols.ts'

/** Time, randomness, the log and the metrics of a worker. */
export type WorkerSystem = Pick<WorkerContext, 'now' | 'timing' | 'ids' | 'random'> & {
  readonly log: Logger
  readonly metrics: Metrics
}

/** Starts a worker's loops over any ports, but for those of maintenance. A caller that stops all of them stops the worker. */
export function workerLoops(ports: WorkerPorts, settings: WorkerSettings, system: WorkerSystem): readonly NamedLoop[] {
  const { log, metrics, timing } = system
  const record = workLog(log, metrics, timing.monotonic)
  const container = new Container({ defaultScope: 'Singleton' })
  container.bind(STORES).toConstantValue(ports.stores)
  container.bind(NETWORK).toConstantValue(ports.network)
  container.bind(SCREENING).toConstantValue(ports.screening)
  container.bind(CHAIN).toConstantValue(ports.chain)
  container.bind(SENDER).toConstantValue(ports.sender)
  container.bind(NOTICE_SENDER).toConstantValue(ports.noticeSender)
  container.bind(QUEUE).toConstantValue(ports.queue)
  const context = { ...system, settings, record, raiseAlert: logAlert(log), countSlice: countSlices(metrics) }
  container.load(...loopModules(context))
  return container.getAll(LOOPS).flat()
}
