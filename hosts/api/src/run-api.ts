import 'reflect-metadata'
import { NotMigrated, refuseUnmigrated } from '@quipu/postgres'
import { BadSettings, jsonLog, readSettings, stopSignal } from '@quipu/runtime'
import { ApiSettings } from './settings.ts'
import { startApi } from './start-api.ts'

try {
  const settings = readSettings(ApiSettings, process.env)
  await refuseUnmigrated(settings.DATABASE_URL)
  const api = await startApi(settings, jsonLog(settings.LOG_LEVEL))
  await stopSignal()
  await api.stop()
  process.exit() // A call that was cut off would keep the process for as long as its own deadline.
} catch (error) {
  if (!(error instanceof BadSettings || error instanceof NotMigrated)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
