import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { ApiSettings, startApi } from '@quipu/api'
import { sha256, type Usdt } from '@quipu/core'
import {
  createDatabase,
  type PostgresServer,
  StartError,
  startPostgres,
} from '@quipu/embedded-postgres'
import { migrate, postgresStores } from '@quipu/postgres'
import { readSettings } from '@quipu/runtime'
import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import { startWorker, WorkerSettings } from '@quipu/worker'
import { lockData } from './data-lock.ts'
import { type DemoTenant, demoTenant } from './demo-tenant.ts'
import { type LocalFile, readLocalFile, removeLocalFile, writeLocalFile } from './local-file.ts'
import { openLog } from './local-log.ts'
import { type Ports, refuseTakenPorts } from './ports.ts'
import { type KeptSecrets, openSecrets, type Secrets } from './secrets.ts'
import { StartRefusal } from './start-refusal.ts'

export type LocalOptions = {
  /** Made if missing; what it holds is found again by later starts. */
  readonly dataDir: string
  readonly ports: Ports
  readonly logLevel: ApiSettings['LOG_LEVEL']
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

const host = '127.0.0.1'
const urlOf = (port: number): string => `http://${host}:${port}`

/**
 * Starts everything in this process but PostgreSQL, which is a process of its own that ends with
 * this one.
 *
 * @throws StartRefusal, or StartError of PostgreSQL, in words for the one who typed `start`
 */
export async function startLocal(options: LocalOptions): Promise<Local> {
  const { dataDir, ports, stopping, say } = options
  await mkdir(dataDir, { recursive: true })
  // What is begun last ends first. If the start fails, all of it ends here.
  await using begun = new AsyncDisposableStack()
  await begin(
    begun,
    () => takeData(dataDir),
    (lock) => lock.release(),
  )
  const { postgres: _, ...listeners } = ports // A server left from before may be on that one.
  await refuseTakenPorts(Object.values(listeners))
  await removeLocalFile(dataDir)
  const secrets = await openSecrets(dataDir)
  const { log } = await begin(
    begun,
    () => openLog(dataDir, options.logLevel),
    (it) => it.close(),
  )

  if (await isNew(dataDir)) say('The first start makes a database, which takes some seconds.')
  const postgres = await begin(
    begun,
    () => openPostgres(dataDir, ports),
    (it) => it.stop(),
  )
  stopping.throwIfAborted()
  const databaseUrl = await openDatabase(postgres)
  stopping.throwIfAborted()

  const { network_token: token, callback_secret } = secrets.get()
  const network = await begin(
    begun,
    () => openNetwork(dataDir, ports, { token, callback_secret }),
    (it) => it.stop(),
  )
  const settings = settingsOf({ databaseUrl, network, ports, secrets: secrets.get() })
  const logged = { ...settings, LOG_LEVEL: options.logLevel }
  await begin(
    begun,
    () => startWorker(readSettings(WorkerSettings, logged), log),
    (it) => it.stop(),
  )
  const api = await begin(
    begun,
    () => startApi(readSettings(ApiSettings, logged), log),
    (it) => it.stop(),
  )
  stopping.throwIfAborted()

  const tenant = await openTenant(databaseUrl, api.operatorUrl, secrets)
  const file: LocalFile = {
    base_url: api.url,
    api_key: tenant.apiKey,
    tenant_id: tenant.id,
    operator_url: api.operatorUrl,
    operator_token: secrets.get().operator_token,
    qr_network: { url: network.url, admin_url: network.adminUrl },
    database_url: databaseUrl,
  }
  await writeLocalFile(dataDir, file)
  const running = begun.move()
  return { file, available: tenant.available, stop: () => running.disposeAsync() }
}

/** Does it, and remembers how to end it. */
async function begin<T>(
  begun: AsyncDisposableStack,
  start: () => Promise<T> | T,
  end: (started: T) => Promise<void> | void,
): Promise<T> {
  const started = await start()
  begun.defer(() => end(started))
  return started
}

async function takeData(dataDir: string) {
  const lock = lockData(dataDir)
  if ('release' in lock) return lock
  const file = await readLocalFile(dataDir).catch(() => undefined)
  const at = file ? ` at ${file.base_url}` : ''
  const pid = lock.heldBy === undefined ? '' : ` (process ${lock.heldBy})`
  throw new StartRefusal(
    `Quipu is already running on ${dataDir}${at}${pid}. Use it, end it, or start another one:\n` +
      '  QUIPU_DATA_DIR=.quipu-2 QUIPU_PORT_BASE=4100 npx -y pnpm@12 start',
  )
}

const postgresFolder = (dataDir: string): string => path.join(dataDir, 'postgres')

const isNew = (dataDir: string): Promise<boolean> =>
  stat(postgresFolder(dataDir)).then(
    () => false,
    () => true,
  )

async function openPostgres(dataDir: string, { postgres: port }: Ports): Promise<PostgresServer> {
  const options = { dataDir: postgresFolder(dataDir), durability: 'full', port } as const
  try {
    return await startPostgres(options)
  } catch (error) {
    if (error instanceof StartError) await refuseTakenPorts([port])
    throw error
  }
}

/** @returns the URL of the service's own database, up to date */
async function openDatabase(postgres: PostgresServer): Promise<string> {
  const name = 'quipu'
  await createDatabase(postgres, name).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === '42P04'
    if (!isThere) throw error
  })
  const url = postgres.urlFor(name)
  await migrate(url).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StartRefusal(
      `The database in ${postgres.dataDir} cannot be brought up to date: ${why}.\n` +
        'To begin anew, remove the data folder.',
      { cause },
    )
  })
  return url
}

/** The network's books are kept, so that a payment it has not ended yet outlives a restart. */
const openNetwork = (
  dataDir: string,
  ports: Ports,
  { token, callback_secret }: { readonly token: string; readonly callback_secret: string },
): Promise<QrNetworkSimulator> =>
  startQrNetwork({
    token,
    host,
    port: ports.qrNetwork,
    adminPort: ports.qrNetworkAdmin,
    storage: path.join(dataDir, 'qr-network'),
    callbackSecret: callback_secret,
    callbackUrl: `${urlOf(ports.api)}/network/callbacks`,
  })

type Parts = {
  readonly databaseUrl: string
  readonly network: QrNetworkSimulator
  readonly ports: Ports
  readonly secrets: Secrets
}

/** The environment that the API and the worker would be given if they ran by themselves. */
const settingsOf = ({ databaseUrl, network, ports, secrets }: Parts): Record<string, string> => ({
  ENVIRONMENT: 'sandbox',
  DATABASE_URL: databaseUrl,
  HOST: host,
  PORT: String(ports.api),
  OPERATOR_HOST: host,
  OPERATOR_PORT: String(ports.operator),
  OPERATOR_TOKENS: `start:admin:${sha256(secrets.operator_token)}`,
  QR_NETWORK_URL: network.url,
  QR_NETWORK_TOKEN: secrets.network_token,
  QR_NETWORK_CALLBACK_SECRET: secrets.callback_secret,
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_WRITES: 'off',
  RATE_LIMIT_FAILED_KEYS: 'off',
  STOP_WITHIN_MS: '5000',
})

async function openTenant(
  databaseUrl: string,
  operatorUrl: string,
  secrets: KeptSecrets,
): Promise<DemoTenant> {
  const { wallets, close } = postgresStores({ url: databaseUrl })
  try {
    return await demoTenant({ operatorUrl, secrets, wallets })
  } finally {
    await close()
  }
}
