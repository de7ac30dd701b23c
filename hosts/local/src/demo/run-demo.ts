import 'reflect-metadata'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { StartError } from '@quipu/embedded-postgres'
import { BadSettings, readSettings, stopSignal } from '@quipu/runtime'
import { askJson } from '../ask-json.ts'
import { play } from './run-steps.ts'
import { type LocalFile, readLocalFile } from '../start/data-folder/local-file.ts'
import { freePorts } from '../start/ports.ts'
import { LocalSettings } from '../start/settings.ts'
import { startLocal } from '../start/start-local.ts'
import { StartRefusal } from '../start/start-refusal.ts'

const say = (line: string): void => console.log(line)
const playOptions = { say, expiry: process.argv.includes('--expiry') }

try {
  const { QUIPU_DATA_DIR: dataDir, QUIPU_BLOCK_MS: blockMs } = readSettings(
    LocalSettings,
    process.env,
  )
  const running = await findRunning(dataDir)
  const passed = running ? await play(running, playOptions) : await playAlone(dataDir, blockMs)
  process.exit(passed ? 0 : 1)
} catch (error) {
  const isExpected =
    error instanceof StartRefusal || error instanceof StartError || error instanceof BadSettings
  if (!isExpected) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** What `start` runs on this data, if it does. */
async function findRunning(dataDir: string): Promise<LocalFile | undefined> {
  const file = await readLocalFile(dataDir).catch(() => undefined)
  if (!file) return undefined
  const wallet = { method: 'GET', path: '/v1/wallets', headers: { 'x-api-key': file.api_key } }
  const status = await askJson(file.base_url, wallet).then(
    (reply) => reply.status,
    () => undefined,
  )
  if (status !== 200) return undefined
  say(`Playing against ${file.base_url}, which runs on ${dataDir}.`)
  return file
}

/** Starts everything for the demo alone, on data that is thrown away afterwards. */
async function playAlone(dataDir: string, blockMs: number): Promise<boolean> {
  say(`Nothing answers on ${dataDir}, so the demo starts everything for itself.`)
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-demo-'))
  const stop = new AbortController()
  const ended = stopSignal().then((signal) => {
    stop.abort(signal)
    return false
  })
  try {
    const local = await startLocal({
      dataDir: folder,
      ports: await freePorts(),
      blockMs,
      logLevel: 'warn',
      sqs: false,
      stopping: stop.signal,
      say,
    })
    const passed = await Promise.race([play(local.file, playOptions), ended])
    await local.stop()
    return passed
  } catch (error) {
    if (error === stop.signal.reason) return false
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}
