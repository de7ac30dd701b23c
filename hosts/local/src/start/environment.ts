import { fileURLToPath } from 'node:url'
import type { Secrets } from './data-folder/secrets.ts'
import type { Ports } from './ports.ts'
import type { LocalDatabase } from './postgres.ts'
import type { LocalNetwork } from './qr-network.ts'
import { type Tron, xpubOf } from './tron.ts'

const host = '127.0.0.1'
/** A list of one name and one address, to try screening with. */
export const screeningList: string = fileURLToPath(new URL('../../screening-list.csv', import.meta.url))

type Parts = {
  readonly tron: Tron
  readonly genesisBlock: string
  readonly database: Pick<LocalDatabase, 'processUrl'>
  readonly network: Pick<LocalNetwork, 'env'>
  readonly ports: Ports
  readonly secrets: Secrets
  readonly cell: string | undefined
}

/** The environment of API and worker. */
export const environment = ({ tron, genesisBlock, database, network, ports, secrets, cell }: Parts) => ({
  ...(cell === undefined ? {} : { CELL: cell }),
  ENVIRONMENT: 'sandbox',
  DATABASE_URL: database.processUrl,
  HOST: host,
  PORT: String(ports.api),
  OPERATOR_HOST: host,
  OPERATOR_PORT: String(ports.operator),
  WORKER_HOST: host,
  WORKER_PORT: String(ports.worker),
  DOCS_URL: `http://${host}:${ports.api}/docs`,
  OPERATOR_DOCS_URL: `http://${host}:${ports.operator}/docs`,
  EXAMPLE_URL: `http://${host}:${ports.example}`,
  ...network.env,
  TRON_NODE_URL: tron.url,
  TRON_TOKEN_CONTRACT: tron.tokenContract,
  TRON_GENESIS_BLOCK: genesisBlock,
  TRON_XPUB: xpubOf(secrets),
  ADDRESS_MAC_KEY: secrets.address_mac_key,
  TRON_REQUESTS_PER_SECOND: '1000',
  TRON_POLL_MS: '200',
  // Short, so that a start after a crash does not wait long for the leases of the killed worker.
  SCAN_LEASE_SECONDS: '5',
  CHAIN_WORK_LEASE_SECONDS: '5',
  TRON_FIRST_BLOCK: '1',
  TRON_SERVICE_ADDRESSES: tron.faucet.address,
  FAUCET_PRIVATE_KEY: tron.faucet.privateKey,
  WEBHOOK_SECRET_KEY: secrets.webhook_secret_key,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  SCREENING_FILE: screeningList,
  NETWORK_LIQUIDITY_FLOOR_BOB: '10000.00', // Reports and forecasts need readings of the balance.
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_WRITES: 'off',
  RATE_LIMIT_FAILED_KEYS: 'off',
  DRAIN_SECONDS: '0',
  STOP_WITHIN_MS: '5000',
})

/** The environment of the example server. */
export const exampleEnvironment = (ports: Ports) => ({
  HOST: host,
  PORT: String(ports.example),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  STOP_WITHIN_MS: '5000',
})
