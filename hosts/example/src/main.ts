import 'reflect-metadata'
import { BadSettings, jsonLog, readSettings, stopSignal } from '@quipu/runtime'
import { ExampleSettings } from './settings.ts'
import { startExample } from './start-example.ts'

try {
  const settings = readSettings(ExampleSettings, process.env)
  const example = await startExample(settings, jsonLog(settings.LOG_LEVEL))
  process.stdout.write(`The example server answers at ${example.url}\n`)
  await stopSignal()
  await example.stop()
  process.exit()
} catch (error) {
  if (!(error instanceof BadSettings)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
