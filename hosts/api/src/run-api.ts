import 'reflect-metadata'
import { NotMigrated, refuseUnfitDatabase, UnfitRole } from '@quipu/postgres'
import { runHost, systemTimer } from '@quipu/runtime'
import { ApiSettings } from './settings/settings.ts'
import { startApi } from './start-api.ts'

await runHost({
  schema: ApiSettings,
  check: ({ DATABASE_URL: url, ENVIRONMENT }) =>
    refuseUnfitDatabase({ url, isProduction: ENVIRONMENT === 'production' }, systemTimer),
  start: startApi,
  refusals: [NotMigrated, UnfitRole],
})
