import 'reflect-metadata'
import { BadSettings, jsonLog, readSettings, stopSignal } from '@quipu/runtime'
import { ExampleSettings } from './settings.ts'
import { startExample } from './start-example.ts'

const portAdvice = `
The port is in use, perhaps by the example server of \`start\`. To use another port:
  PORT=4012 npx -y pnpm@12 example`

try {
  const settings = readSettings(ExampleSettings, process.env)
  const stopping = stopSignal()
  const example = await startExample(settings, jsonLog(settings.LOG_LEVEL))
  process.stdout.write(`Example server listening at ${example.url}\n`)
  await stopping
  await example.stop()
  process.exit()
} catch (error) {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (!inUse && !(error instanceof BadSettings)) throw error
  process.stderr.write(`${error.message}${inUse ? portAdvice : ''}\n`)
  process.exitCode = 1
}
