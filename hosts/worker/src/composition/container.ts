import { cellIds } from '@quipu/core/adapter'
import { alertRelay, databaseClock, isTronConfigured, type Logger, processMetrics } from '@quipu/runtime'
import { systemClock, systemIds, systemMonotonic, systemRandom } from '@quipu/core/system'
import { Container } from 'inversify'
import { systemTiming } from '../loop/system-timing.ts'
import { workLog } from '../loop/work-log.ts'
import { countSlices } from '../metrics/count-slices.ts'
import { sendsWebhooks, type WorkerSettings } from '../settings/settings.ts'
import { adapterModule, chainModule, noticeSenderModule, senderModule } from './adapter-modules.ts'
import { CLOCK, METRICS } from './symbols.ts'
import { alertModule, loopModules, maintenanceModule } from './loop-modules.ts'

/**
 * The worker's object graph.
 *
 * Deactivation closes all adapters at the same time, so the loops are stopped before it.
 */
export function workerContainer(settings: WorkerSettings, log: Logger): Container {
  const container = new Container({ defaultScope: 'Singleton' })
  const clock = databaseClock(systemClock, systemMonotonic)
  const metrics = processMetrics()
  const recording = { record: workLog(log, metrics), countSlice: countSlices(metrics) }
  const system = { now: clock.now, timing: systemTiming, ids: cellIds(settings.CELL, systemIds), random: systemRandom }
  const relay = alertRelay({ ...system, log, monotonic: systemMonotonic }, settings.OPERATOR_ALERT_URL !== undefined)
  const context = { settings, log, metrics, raiseAlert: relay.raiseAlert, ...system, ...recording }
  container.bind(CLOCK).toConstantValue(clock)
  container.bind(METRICS).toConstantValue(metrics)
  container.load(
    adapterModule(context, clock),
    maintenanceModule(context),
    noticeSenderModule(),
    alertModule(context, relay),
    ...loopModules(context),
  )
  if (isTronConfigured(settings)) container.load(chainModule(settings, metrics))
  if (sendsWebhooks(settings)) container.load(senderModule({ ...context, settings }))
  return container
}
