import 'reflect-metadata'
import { StartError } from '@quipu/embedded-postgres'
import { BadSettings, readSettings, stopSignal } from '@quipu/runtime'
import { readArguments } from './arguments.ts'
import { npxExit } from './npx-exit.ts'
import { portsFrom } from './ports.ts'
import { LocalSettings } from './settings.ts'
import { startLocal } from './start-local.ts'
import { StartRefusal } from './start-refusal.ts'
import { welcome } from './welcome.ts'

const stop = new AbortController()
const stopped = Promise.race([stopSignal(), npxExit()]).then((reason) => stop.abort(reason))

try {
  const given = readArguments('start', { sqs: 'webhooks through a simulated SQS' }, process.argv.slice(2))
  if (typeof given === 'string') {
    console.log(given)
    process.exit()
  }
  const settings = readSettings(LocalSettings, process.env)
  const { QUIPU_DATA_DIR: dataDir, QUIPU_PORT_BASE: base, LOG_LEVEL: logLevel } = settings
  const { QUIPU_BLOCK_MS: blockMs, CELL: cell } = settings
  const local = await startLocal({
    dataDir,
    ports: portsFrom(base),
    blockMs,
    cell,
    logLevel,
    network: given.network,
    sqs: given.sqs,
    stopping: stop.signal,
    print: (line) => console.log(line),
  }).catch((error: unknown) => {
    // Ctrl-C also reaches child processes, which then fail.
    if (stop.signal.aborted) process.exit()
    throw error
  })
  console.log(welcome({ ...local, dataDir, seconds: process.uptime() }))
  await stopped
  console.log('Stopping.')
  await local.stop()
  console.log('Stopped.')
  process.exit()
} catch (error) {
  const isExpected = error instanceof StartRefusal || error instanceof StartError || error instanceof BadSettings
  if (!isExpected) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
