import 'reflect-metadata'
import { NotMigrated, refuseUnfitDatabase, UnfitCell, UnfitRole, UnfitSession } from '@quipu/postgres'
import { runHost, traceExport } from '@quipu/runtime'
import { systemTimer } from '@quipu/core/system'
import { exportTraces } from '@quipu/tracing/sdk'
import { ApiSettings } from './settings/settings.ts'
import { startApi } from './start-api.ts'

await runHost({
  schema: ApiSettings,
  check: ({ DATABASE_URL: url, ENVIRONMENT, CELL: cell }) =>
    refuseUnfitDatabase({ url, cell, isProduction: ENVIRONMENT === 'production' }, systemTimer),
  traces: (settings, log) => exportTraces(traceExport(settings, 'api', log)),
  start: startApi,
  refusals: [NotMigrated, UnfitCell, UnfitRole, UnfitSession],
})
