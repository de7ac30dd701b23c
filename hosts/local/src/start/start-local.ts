import { mkdir } from 'node:fs/promises'
import { ApiSettings, startApi } from '@quipu/api'
import type { Usdt } from '@quipu/core'
import { ExampleSettings, startExample } from '@quipu/example'
import { readSettings } from '@quipu/runtime'
import { startWorker, WorkerSettings } from '@quipu/worker'
import { type DataLock, lockData } from './data-folder/data-lock.ts'
import { fundDemoWallet } from './demo-tenant/fund-wallet.ts'
import { demoTenant } from './demo-tenant/demo-tenant.ts'
import {
  type LocalFile,
  readLocalFile,
  removeLocalFile,
  writeLocalFile,
} from './data-folder/local-file.ts'
import { openLog } from './data-folder/log-file.ts'
import {
  environment,
  exampleEnvironment,
  isNew,
  openDatabase,
  openNetwork,
  openPostgres,
} from './parts.ts'
import { type Ports, refuseTakenPorts } from './ports.ts'
import { openSecrets } from './data-folder/secrets.ts'
import { openSqs } from './sqs.ts'
import { StartRefusal } from './start-refusal.ts'
import { genesisBlockOf, openTron } from './tron.ts'

export type LocalOptions = {
  /** Made if missing; what it holds is found again by later starts. */
  readonly dataDir: string
  readonly ports: Ports
  /** How long a block of the local Tron chain takes. */
  readonly blockMs: number
  readonly logLevel: ApiSettings['LOG_LEVEL']
  /** Whether deliveries go by way of an SQS; else the worker polls the database for them. */
  readonly sqs: boolean
  /** Aborted: what has been started so far is stopped, and the start fails with its reason. */
  readonly stopping: AbortSignal
  /** Is told, in a sentence, what takes time. */
  readonly say: (sentence: string) => void
}

export type Local = {
  /** As in `local.json`. */
  readonly file: LocalFile
  /** What the demo tenant can spend now. */
  readonly available: Usdt
  /** The API first, then what it uses. State survives. */
  stop(): Promise<void>
}

/**
 * Starts everything in this process but PostgreSQL, which is a process of its own that ends with
 * this one.
 *
 * @throws StartRefusal, or StartError of PostgreSQL, in words for the one who typed `start`
 */
export async function startLocal(options: LocalOptions): Promise<Local> {
  const { dataDir, ports, blockMs, logLevel, stopping, say } = options
  // What is begun last ends first. If the start fails, all of it ends here.
  await using begun = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> | void }>(part: T): T =>
    begun.adopt(part, () => part.stop())

  await mkdir(dataDir, { recursive: true })
  own(await takeData(dataDir))
  // A PostgreSQL left from before may be on its own.
  const { postgres: _, sqs: sqsPort, ...listeners } = ports
  await refuseTakenPorts([...Object.values(listeners), ...(options.sqs ? [sqsPort] : [])])
  await removeLocalFile(dataDir)
  const secrets = await openSecrets(dataDir)
  const { log } = own(await openLog(dataDir, logLevel))

  if (await isNew(dataDir)) say('The first start makes a database, which takes some seconds.')
  const postgres = own(await openPostgres(dataDir, ports))
  stopping.throwIfAborted()
  const database = await openDatabase(postgres, secrets.get())
  stopping.throwIfAborted()
  const network = own(await openNetwork(dataDir, ports, secrets.get()))
  const tron = own(await openTron(dataDir, ports, secrets.get(), blockMs))
  const genesisBlock = await genesisBlockOf(tron)
  const world = { database, network, tron, genesisBlock, ports, secrets: secrets.get() }
  const sqs = options.sqs ? own(await openSqs(sqsPort)) : undefined
  const env = { ...environment(world), ...sqs?.env }
  own(startWorker(readSettings(WorkerSettings, { ...env, LOG_LEVEL: logLevel }), log))
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
    example_url: example.url,
    tron: {
      url: tron.url,
      admin_url: tron.adminUrl,
      token_contract: tron.tokenContract,
      wallet: { address: tron.wallet.address, private_key: tron.wallet.privateKey },
    },
    qr_network: { url: network.url, admin_url: network.adminUrl },
    database_url: database.url,
    ...(sqs && { sqs: { endpoint: sqs.env.SQS_ENDPOINT, queue_url: sqs.env.SQS_QUEUE_URL } }),
  }
  await writeLocalFile(dataDir, file)
  const running = begun.move()
  return { file, available, stop: () => running.disposeAsync() }
}

async function takeData(dataDir: string): Promise<DataLock> {
  const lock = lockData(dataDir)
  if ('stop' in lock) return lock
  const file = await readLocalFile(dataDir).catch(() => undefined)
  const at = file ? ` at ${file.base_url}` : ''
  const pid = lock.heldBy === undefined ? '' : ` (process ${lock.heldBy})`
  throw new StartRefusal(
    `Quipu is already running on ${dataDir}${at}${pid}. Use it, end it, or start another one:\n` +
      '  QUIPU_DATA_DIR=.quipu-2 QUIPU_PORT_BASE=4100 npx -y pnpm@12 start',
  )
}
