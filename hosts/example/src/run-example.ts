import 'reflect-metadata'
import { BadSettings, jsonLog, readSettings, stopSignal } from '@quipu/runtime'
import { ExampleSettings } from './settings.ts'
import { startExample } from './start-example.ts'

const beside = `
Something listens there already: \`start\` brings an example server along. To take another port:
  PORT=4012 npx -y pnpm@12 example`

try {
  const settings = readSettings(ExampleSettings, process.env)
  const example = await startExample(settings, jsonLog(settings.LOG_LEVEL))
  process.stdout.write(`The example server answers at ${example.url}\n`)
  await stopSignal()
  await example.stop()
  process.exit()
} catch (error) {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (!inUse && !(error instanceof BadSettings)) throw error
  process.stderr.write(`${error.message}${inUse ? beside : ''}\n`)
  process.exitCode = 1
}
