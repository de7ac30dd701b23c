import { stat } from 'node:fs/promises'
import path from 'node:path'
import { sha256 } from '@quipu/core'
import {
  createDatabase,
  createLogin,
  type PostgresServer,
  StartError,
  startPostgres,
} from '@quipu/embedded-postgres'
import { migrate } from '@quipu/postgres'
import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import { type Ports, refuseTakenPorts } from './ports.ts'
import type { Secrets } from './data-folder/secrets.ts'
import { StartRefusal } from './start-refusal.ts'
import { type Tron, xpubOf } from './tron.ts'

const host = '127.0.0.1'

const postgresFolder = (dataDir: string): string => path.join(dataDir, 'postgres')

/** Whether the folder has no database yet. */
export const isNew = (dataDir: string): Promise<boolean> =>
  stat(postgresFolder(dataDir)).then(
    () => false,
    () => true,
  )

/** @throws StartRefusal when the port is in use, StartError for everything else */
export async function openPostgres(dataDir: string, { postgres: port }: Ports) {
  const options = { dataDir: postgresFolder(dataDir), durability: 'full', port } as const
  try {
    return await startPostgres(options)
  } catch (error) {
    if (error instanceof StartError) await refuseTakenPorts([port])
    throw error
  }
}

const duplicateDatabase = '42P04'

/** The service's own database. */
export type LocalDatabase = {
  /** Of the superuser, who migrates. */
  readonly url: string
  /** Of the role that the processes connect as. */
  readonly processUrl: string
}

/** @returns the database, up to date, with the role of the processes */
export async function openDatabase(
  postgres: PostgresServer,
  { database_password: password }: Secrets,
): Promise<LocalDatabase> {
  const name = 'quipu'
  await createDatabase(postgres, name).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === duplicateDatabase
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
  const login = { name: 'quipu_app', password, memberOf: 'quipu_process' }
  return { url, processUrl: await createLogin(url, login) }
}

/** The network's books are kept, so that a payment it has not ended yet outlives a restart. */
export const openNetwork = (
  dataDir: string,
  ports: Ports,
  secrets: Secrets,
): Promise<QrNetworkSimulator> =>
  startQrNetwork({
    token: secrets.network_token,
    host,
    port: ports.qrNetwork,
    adminPort: ports.qrNetworkAdmin,
    storage: path.join(dataDir, 'qr-network'),
    callbackSecret: secrets.callback_secret,
    callbackUrl: `http://${host}:${ports.api}/network/callbacks`,
  })

type Surroundings = {
  readonly tron: Tron
  readonly genesisBlock: string
  readonly database: Pick<LocalDatabase, 'processUrl'>
  readonly network: Pick<QrNetworkSimulator, 'url'>
  readonly ports: Ports
  readonly secrets: Secrets
}

/** The environment that the API and the worker would be given if they ran by themselves. */
export const environment = ({
  tron,
  genesisBlock,
  database,
  network,
  ports,
  secrets,
}: Surroundings) => ({
  ENVIRONMENT: 'sandbox',
  DATABASE_URL: database.processUrl,
  HOST: host,
  PORT: String(ports.api),
  OPERATOR_HOST: host,
  OPERATOR_PORT: String(ports.operator),
  EXAMPLE_URL: `http://${host}:${ports.example}`,
  OPERATOR_TOKENS: `start:admin:${sha256(secrets.operator_token)}`,
  QR_NETWORK_URL: network.url,
  QR_NETWORK_TOKEN: secrets.network_token,
  QR_NETWORK_CALLBACK_SECRET: secrets.callback_secret,
  TRON_NODE_URL: tron.url,
  TRON_TOKEN_CONTRACT: tron.tokenContract,
  TRON_GENESIS_BLOCK: genesisBlock,
  TRON_XPUB: xpubOf(secrets),
  ADDRESS_MAC_KEY: secrets.address_seal_key,
  TRON_REQUESTS_PER_SECOND: '1000',
  TRON_POLL_MS: '200',
  // There is one worker, and the next start need not wait for one that was killed.
  SCAN_LEASE_SECONDS: '5',
  DEPOSIT_LEASE_SECONDS: '5',
  TRON_FIRST_BLOCK: '1',
  TRON_SERVICE_ADDRESSES: tron.faucet.address,
  FAUCET_PRIVATE_KEY: tron.faucet.privateKey,
  WEBHOOK_SECRET_KEY: secrets.webhook_secret_key,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_WRITES: 'off',
  RATE_LIMIT_FAILED_KEYS: 'off',
  STOP_WITHIN_MS: '5000',
})

/** The environment that the example server would be given if it ran by itself. */
export const exampleEnvironment = (ports: Ports) => ({
  HOST: host,
  PORT: String(ports.example),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  STOP_WITHIN_MS: '5000',
})
