import { databaseClock, isTronConfigured, type Logger, processMetrics } from '@quipu/runtime'
import { systemClock, systemMonotonic } from '@quipu/system'
import { Container } from 'inversify'
import { workLog } from '../loop/work-log.ts'
import { countSlices } from '../reconciliation/count-slices.ts'
import { sendsWebhooks, type WorkerSettings } from '../settings/settings.ts'
import { adapterModule, chainModule, noticeSenderModule, senderModule } from './adapter-modules.ts'
import { CLOCK, METRICS } from './symbols.ts'
import {
  depositModule,
  maintenanceModule,
  noticeModule,
  payoutModule,
  reconciliationModule,
  webhookModule,
} from './loop-modules.ts'

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
  const context = { settings, log, now: clock.now, metrics, ...recording }
  container.bind(CLOCK).toConstantValue(clock)
  container.bind(METRICS).toConstantValue(metrics)
  container.load(
    adapterModule(context, clock),
    maintenanceModule(context),
    noticeSenderModule(),
    noticeModule(context),
    payoutModule(context),
    reconciliationModule(context),
  )
  if (isTronConfigured(settings))
    container.load(chainModule(settings, metrics), depositModule({ ...context, settings }))
  if (sendsWebhooks(settings)) {
    const webhooks = { ...context, settings }
    container.load(senderModule(webhooks), webhookModule(webhooks))
  }
  return container
}
