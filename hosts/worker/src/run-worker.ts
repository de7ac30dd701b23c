import 'reflect-metadata'
import { NotMigrated, refuseUnfitDatabase, UnfitRole } from '@quipu/postgres'
import { runHost, systemTimer } from '@quipu/runtime'
import { WorkerSettings } from './settings/settings.ts'
import { startWorker } from './start-worker.ts'

await runHost({
  schema: WorkerSettings,
  check: ({ DATABASE_URL: url, ENVIRONMENT }) =>
    refuseUnfitDatabase({ url, isProduction: ENVIRONMENT === 'production' }, systemTimer),
  start: startWorker,
  refusals: [NotMigrated, UnfitRole],
})
