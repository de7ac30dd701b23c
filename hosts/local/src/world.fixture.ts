import { sha256 } from '@quipu/core'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { migrate } from '@quipu/postgres'
import { type QrNetworkSimulator, type Scenario, startQrNetwork } from '@quipu/simulators'
import { databaseProbe, type DatabaseProbe } from './database-probe.fixture.ts'
import { type Program, run } from './process.fixture.ts'
import { proxy, type Proxy } from './proxy.fixture.ts'
import {
  closedQr,
  onboard,
  operatorToken,
  type Order,
  type Tenant,
  tenantAt,
} from './tenant.fixture.ts'

/** An API in a process of its own, and a tenant that asks it. */
export type ApiProcess = Program & Tenant & { readonly url: string }

/** A database and a QR network that outlive the processes which use them. */
export type World = AsyncDisposable & {
  readonly database: DatabaseProbe
  readonly network: QrNetworkSimulator
  /** Between the API or worker and the network. */
  readonly wire: Proxy
  startApi(): Promise<ApiProcess>
  startWorker(): Promise<Program>
  /** A wire to the API, and the tenant at the other end of it. */
  wireTo(api: ApiProcess): Promise<Proxy & Tenant>
  /** An order for a new QR. */
  order(tenant: Tenant, scenario?: Scenario): Promise<Order>
}

const networkToken = 'the-token-of-the-network'
const callbackSecret = 'the secret of the callbacks'

/** What the API and the worker are told. Leases are short, so that a dead one's is soon over. */
const environment = (databaseUrl: string, networkUrl: string) => ({
  LEASE_SECONDS: '3',
  WORKER_IDLE_MS: '50',
  DATABASE_URL: databaseUrl,
  QR_NETWORK_URL: networkUrl,
  QR_NETWORK_TOKEN: networkToken,
  QR_NETWORK_CALLBACK_SECRET: callbackSecret,
  PORT: '0',
  OPERATOR_PORT: '0',
  OPERATOR_TOKENS: `test:admin:${sha256(operatorToken)}`,
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_WRITES: 'off',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
})

/** @param url  of a migrated database; one of its own by default */
export async function openWorld(url?: string): Promise<World> {
  const things = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T =>
    things.adopt(thing, () => thing.stop())
  const databaseUrl = url ?? own(await ownDatabase()).url
  const network = own(await startQrNetwork({ token: networkToken, callbackSecret, lateMs: 300 }))
  const wire = own(await proxy(network.url))
  const database = own(databaseProbe(databaseUrl))
  const env = environment(databaseUrl, wire.url)
  const spawned = (file: string): Program => things.adopt(run(file, env), (it) => it.kill())
  let apiKey = ''

  return {
    database,
    network,
    wire,
    async startApi() {
      const program = spawned('api/src/main.ts')
      const urls = /"url":"([^"]+)","operator_url":"([^"]+)"/
      const [, url = '', operatorUrl = ''] = await program.says(urls)
      network.setCallbackUrl(`${url}/network/callbacks`)
      apiKey ||= await onboard(operatorUrl, databaseUrl)
      return { ...program, url, ...tenantAt(url, apiKey) }
    },
    async startWorker() {
      const program = spawned('worker/src/main.ts')
      await program.says(/worker started/)
      return program
    },
    async wireTo({ url }) {
      const between = own(await proxy(url))
      return { ...between, ...tenantAt(between.url, apiKey) }
    },
    order: (tenant, scenario = 'paid') => tenant.order(network.issueQr(closedQr(scenario)).content),
    [Symbol.asyncDispose]: () => things.disposeAsync(),
  }
}

async function ownDatabase() {
  const { url, drop } = await testDatabase({ templateName: 'quipu_local', migrate })
  return { url, stop: drop }
}
