import 'reflect-metadata'
import { NotMigrated, refuseUnmigrated } from '@quipu/postgres'
import { BadSettings, jsonLog, readSettings, stopSignal } from '@quipu/runtime'
import { WorkerSettings } from './settings.ts'
import { startWorker } from './start-worker.ts'

try {
  const settings = readSettings(WorkerSettings, process.env)
  await refuseUnmigrated(settings.DATABASE_URL)
  const worker = startWorker(settings, jsonLog(settings.LOG_LEVEL))
  await stopSignal()
  await worker.stop()
  process.exit() // What was left would keep the process for as long as its own deadline.
} catch (error) {
  if (!(error instanceof BadSettings || error instanceof NotMigrated)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
