import 'reflect-metadata'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { StartError } from '@quipu/embedded-postgres'
import { BadSettings, readSettings, stopSignal } from '@quipu/runtime'
import { askJson } from '../ask-json.ts'
import { readArguments } from '../start/arguments.ts'
import { type LocalFile, readLocalFile } from '../start/data-folder/local-file.ts'
import { freePorts } from '../start/ports.ts'
import type { NetworkName } from '../start/qr-network.ts'
import { LocalSettings } from '../start/settings.ts'
import { startLocal } from '../start/start-local.ts'
import { StartRefusal } from '../start/start-refusal.ts'
import { type DemoOptions, runSteps } from './run-steps.ts'

const print = (line: string): void => console.log(line)

try {
  const flags = { expiry: 'also wait for a quote to expire' }
  const given = readArguments('demo', flags, process.argv.slice(2))
  if (typeof given === 'string') {
    print(given)
    process.exit()
  }
  const options = { print, expiry: given.expiry }
  const { QUIPU_DATA_DIR: dataDir, QUIPU_BLOCK_MS: blockMs } = readSettings(LocalSettings, process.env)
  const running = await findRunning(dataDir)
  if (!running) print(`No start is running on ${dataDir}. Starting a temporary one for the demo.`)
  else if (given.network && given.network !== running.qr_network.name)
    throw new StartRefusal(`The start on ${dataDir} pays at ${running.qr_network.name}, not ${given.network}.`)
  const passed = running ? await runSteps(running, options) : await runAlone(given.network, blockMs, options)
  process.exit(passed ? 0 : 1)
} catch (error) {
  const isExpected = error instanceof StartRefusal || error instanceof StartError || error instanceof BadSettings
  if (!isExpected) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** The `start` that runs on this data folder, if its API answers. */
async function findRunning(dataDir: string): Promise<LocalFile | undefined> {
  const file = await readLocalFile(dataDir).catch(() => undefined)
  if (!file) return undefined
  const wallet = { method: 'GET', path: '/v1/wallets', headers: { 'x-api-key': file.api_key } }
  const status = await askJson(file.base_url, wallet).then(
    (reply) => reply.status,
    () => undefined,
  )
  if (status !== 200) return undefined
  print(`Running the demo against ${file.base_url} (data in ${dataDir}).`)
  return file
}

/** Starts a temporary environment for the demo; its data is removed at the end. */
async function runAlone(network: NetworkName | undefined, blockMs: number, options: DemoOptions): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-demo-'))
  const stop = new AbortController()
  const stopped = stopSignal().then((signal) => {
    stop.abort(signal)
    return false
  })
  try {
    const local = await startLocal({
      dataDir: folder,
      ports: await freePorts(),
      blockMs,
      logLevel: 'warn',
      network,
      sqs: false,
      stopping: stop.signal,
      print,
    })
    const passed = await Promise.race([runSteps(local.file, options), stopped])
    await local.stop()
    return passed
  } catch (error) {
    if (error === stop.signal.reason) return false
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}
