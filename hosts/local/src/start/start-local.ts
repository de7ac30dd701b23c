import { mkdir } from 'node:fs/promises'
import { ApiSettings, startApi } from '@quipu/api'
import type { Usdt } from '@quipu/core'
import { ExampleSettings, startExample } from '@quipu/example'
import { readSettings } from '@quipu/runtime'
import { startWorker, WorkerSettings } from '@quipu/worker'
import { type DataLock, lockData } from './data-folder/data-lock.ts'
import { fundDemoWallet } from './demo-tenant/fund-wallet.ts'
import { demoTenant } from './demo-tenant/demo-tenant.ts'
import { type LocalFile, readLocalFile, removeLocalFile, writeLocalFile } from './data-folder/local-file.ts'
import { ensureOperators } from './demo-tenant/demo-operators.ts'
import { openLog } from './data-folder/log-file.ts'
import { environment, exampleEnvironment } from './environment.ts'
import { type Ports, refuseTakenPorts } from './ports.ts'
import { isNew, openDatabase, openPostgres } from './postgres.ts'
import { type NetworkName, networkOf, openNetwork } from './qr-network.ts'
import { openSecrets } from './data-folder/secrets.ts'
import { openSqs } from './sqs.ts'
import { StartRefusal } from './start-refusal.ts'
import { genesisBlockOf, openTron } from './tron.ts'

export type LocalOptions = {
  /** Created if missing. Later starts on it continue with its state. */
  readonly dataDir: string
  readonly ports: Ports
  /** Block time of the local Tron chain. */
  readonly blockMs: number
  readonly logLevel: ApiSettings['LOG_LEVEL']
  /** The letter of the cell; left out: keys and ids carry none. */
  readonly cell?: string | undefined
  /** The simulated QR network; left out: that of the data folder, or `http`. */
  readonly network?: NetworkName | undefined
  /** Whether an SQS wakes the worker for deliveries; otherwise it polls the database. */
  readonly sqs: boolean
  /** When aborted, everything started so far stops, and the start fails with the abort's reason. */
  readonly stopping: AbortSignal
  /** Prints one line about a step that takes seconds. */
  readonly print: (line: string) => void
}

export type Local = {
  /** The content of `local.json`. */
  readonly file: LocalFile
  /** The demo tenant's spendable balance. */
  readonly available: Usdt
  /** Stops the API before its dependencies. The state stays in the data folder. */
  stop(): Promise<void>
}

/**
 * Starts everything in this process except PostgreSQL, a child process that ends with this one.
 *
 * @throws StartRefusal, or StartError of PostgreSQL; both messages are meant for the terminal
 */
export async function startLocal(options: LocalOptions): Promise<Local> {
  const { dataDir, ports, blockMs, logLevel, cell, stopping, print } = options
  // Stops in reverse order. A failed start stops everything at this scope's end.
  await using started = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> | void }>(part: T): T => started.adopt(part, () => part.stop())

  await mkdir(dataDir, { recursive: true })
  own(await lockDataFolder(dataDir))
  const networkName = networkOf(dataDir, options.network)
  // The PostgreSQL port may be taken by this folder's own server, left from a killed start.
  const { postgres: _, sqs: sqsPort, ...listeners } = ports
  await refuseTakenPorts([...Object.values(listeners), ...(options.sqs ? [sqsPort] : [])])
  await removeLocalFile(dataDir)
  const secrets = await openSecrets(dataDir)
  const { log } = own(await openLog(dataDir, logLevel))

  if (await isNew(dataDir)) print('First start: creating the database. This takes a few seconds.')
  const postgres = own(await openPostgres(dataDir, ports))
  stopping.throwIfAborted()
  const database = await openDatabase(postgres, secrets.get(), cell)
  await ensureOperators(database, secrets)
  stopping.throwIfAborted()
  const network = own(await openNetwork(networkName, dataDir, ports, secrets.get()))
  const tron = own(await openTron(dataDir, ports, secrets.get(), blockMs))
  const genesisBlock = await genesisBlockOf(tron)
  const parts = { database, network, tron, genesisBlock, ports, secrets: secrets.get(), cell }
  const sqs = options.sqs ? own(await openSqs(sqsPort)) : undefined
  const env = { ...environment(parts), ...sqs?.env }
  own(await startWorker(readSettings(WorkerSettings, { ...env, LOG_LEVEL: logLevel }), log))
  const api = own(await startApi(readSettings(ApiSettings, { ...env, LOG_LEVEL: logLevel }), log))
  const exampleEnv = { ...exampleEnvironment(ports), LOG_LEVEL: logLevel }
  const example = own(await startExample(readSettings(ExampleSettings, exampleEnv), log))
  stopping.throwIfAborted()

  const tenant = await demoTenant({ operatorUrl: api.operatorUrl, secrets })
  const available = await fundDemoWallet({ url: api.url, ...tenant }, tron, stopping)
  const file: LocalFile = {
    base_url: api.url,
    api_key: tenant.apiKey,
    tenant_id: tenant.id,
    operator_url: api.operatorUrl,
    operator_token: secrets.get().operator_token,
    second_operator_token: secrets.get().second_operator_token,
    example_url: example.url,
    tron: {
      url: tron.url,
      admin_url: tron.adminUrl,
      token_contract: tron.tokenContract,
      wallet: { address: tron.wallet.address, private_key: tron.wallet.privateKey },
    },
    qr_network: { name: networkName, url: network.url, admin_url: network.adminUrl },
    database_url: database.url,
    ...(sqs && { sqs: { endpoint: sqs.env.SQS_ENDPOINT, queue_url: sqs.env.SQS_QUEUE_URL } }),
  }
  await writeLocalFile(dataDir, file)
  const running = started.move()
  return { file, available, stop: () => running.disposeAsync() }
}

async function lockDataFolder(dataDir: string): Promise<DataLock> {
  const lock = lockData(dataDir)
  if ('stop' in lock) return lock
  const file = await readLocalFile(dataDir).catch(() => undefined)
  const url = file ? ` at ${file.base_url}` : ''
  const pid = lock.ownerPid === undefined ? '' : ` (process ${lock.ownerPid})`
  throw new StartRefusal(
    `Quipu is already running on ${dataDir}${url}${pid}. Use it, stop it, or start a second one:\n` +
      '  QUIPU_DATA_DIR=.quipu-2 QUIPU_PORT_BASE=4100 npx -y pnpm@12 start',
  )
}
