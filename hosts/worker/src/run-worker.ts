import 'reflect-metadata'
import { NotMigrated, refuseUnfitDatabase, UnfitCell, UnfitRole, UnfitSession } from '@quipu/postgres'
import { runHost, traceExport } from '@quipu/runtime'
import { systemTimer } from '@quipu/core/system'
import { exportTraces } from '@quipu/tracing/sdk'
import { WorkerSettings } from './settings/settings.ts'
import { startWorker } from './start-worker.ts'

await runHost({
  schema: WorkerSettings,
  check: ({ DATABASE_URL: url, ENVIRONMENT, CELL: cell }) =>
    refuseUnfitDatabase({ url, cell, isProduction: ENVIRONMENT === 'production' }, systemTimer),
  traces: (settings, log) => exportTraces(traceExport(settings, 'worker', log)),
  start: startWorker,
  refusals: [NotMigrated, UnfitCell, UnfitRole, UnfitSession],
})
