import 'reflect-metadata'
import { NotMigrated, refuseUnfitDatabase, UnfitRole } from '@quipu/postgres'
import { BadSettings, jsonLog, readSettings, stopSignal, systemTimer } from '@quipu/runtime'
import { WorkerSettings } from './settings/settings.ts'
import { startWorker } from './start-worker.ts'

try {
  const settings = readSettings(WorkerSettings, process.env)
  const isProduction = settings.ENVIRONMENT === 'production'
  const demands = { url: settings.DATABASE_URL, isProduction }
  const { refusedLater } = await refuseUnfitDatabase(demands, systemTimer)
  const worker = startWorker(settings, jsonLog(settings.LOG_LEVEL))
  try {
    await Promise.race([stopSignal(), refusedLater])
  } finally {
    await worker.stop()
  }
  process.exit() // Items in progress would keep the process alive.
} catch (error) {
  const isRefusal =
    error instanceof BadSettings || error instanceof NotMigrated || error instanceof UnfitRole
  if (!isRefusal) throw error
  // A check of the database may still be running: the process ends without it.
  process.stderr.write(`${error.message}\n`, () => process.exit(1))
}
