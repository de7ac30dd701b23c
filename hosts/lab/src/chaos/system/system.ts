import { attemptTimeoutSeconds } from '@quipu/core/adapter'
import type { TronDevnet } from '@quipu/simulators'
import { mkdir } from 'node:fs/promises'
import { chainEnvironment, startChain, startTestSqs, type TestSqs, until } from '@quipu/local/testing'
import type { ChaosDatabase } from './database.ts'
import { baseOf, type ProgramKind, supervise, type Supervised } from './supervised.ts'
import type { NetworkKind } from '../../run/network-kind.ts'
import { type HttpChaosNetwork, type OpenHubChaosNetwork, startNetwork } from './network.ts'
import type { ReceiverKind } from './receivers.ts'
import { type ChaosTenant, createTenants } from './tenants.ts'

/** Everything that runs: APIs, workers, their dependencies, and the tenants' receivers. */
export type System = AsyncDisposable & {
  readonly database: ChaosDatabase
  readonly network: HttpChaosNetwork | OpenHubChaosNetwork
  readonly chain: TronDevnet
  readonly sqs: TestSqs
  readonly apis: readonly Supervised[]
  readonly workers: readonly Supervised[]
  readonly programs: readonly Supervised[]
  readonly tenants: readonly ChaosTenant[]
  /** Starts one more process, on this database or another, with settings of its own. The caller stops it. */
  start(kind: ProgramKind, name: string, on: StartOptions): Promise<Supervised>
}

type StartOptions = { readonly databaseUrl: string; readonly settings: Readonly<Record<string, string>> }

export type SystemOptions = {
  /** A folder for this system alone. */
  readonly folder: string
  /** How many APIs, and how many workers; two by default. */
  readonly processes?: number
  /** The receivers of each tenant. */
  readonly receivers: readonly (readonly ReceiverKind[])[]
  /** Starts a database of the version that starts, in the folder. */
  readonly startDatabase: (folder: string) => Promise<ChaosDatabase>
  /** The sources of the version that starts. */
  readonly root: string
  readonly network: NetworkKind
  /** Settings of every process besides those of all systems. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Leases and periods are short, so that a fault of seconds outlasts them. */
const env = {
  QUOTE_LIFE_SECONDS: '120',
  DRAIN_SECONDS: '1',
  WEBHOOK_SECRET_KEY: '0f'.repeat(32),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_LEASE_SECONDS: String(attemptTimeoutSeconds + 1),
  WORKER_IDLE_MS: '100',
  WEBHOOK_IDLE_MS: '50',
  LEDGER_CHECK_SECONDS: '2',
  AUDIT_CHECKPOINT_KEY: '3c'.repeat(32),
  RECONCILIATION_SETTLE_SECONDS: '1',
  RECONCILIATION_LEASE_SECONDS: '3',
}

export async function startSystem(options: SystemOptions): Promise<System> {
  const { folder, startDatabase, receivers, root, network: kind, processes = 2, settings: more = {} } = options
  await using started = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T => started.adopt(thing, () => thing.stop())
  await mkdir(folder, { recursive: true })
  const database = own(await startDatabase(folder))
  const network = own(await startNetwork(kind))
  const chain = own(await startChain())
  const sqs = own(await startTestSqs())
  const chainSettings = { ...(await chainEnvironment(chain)), TRON_POLL_MS: '250' }
  const start: System['start'] = async (kind, name, { databaseUrl, settings }) => {
    const addresses = { databaseUrl, network, chainUrl: chain.url }
    const all = { ...env, ...chainSettings, ...(kind === 'worker' ? sqs.env : {}), ...settings }
    return supervise({ name, kind, root, folder, addresses, env: all })
  }
  const settings = { DATABASE_STANDBY: database.patroni ? 'required' : 'none', ...more }
  const on = { databaseUrl: database.roleUrl, settings }
  const each = (kind: ProgramKind) =>
    Promise.all(
      Array.from({ length: processes }, async (_, place) => own(await start(kind, `${kind}-${place + 1}`, on))),
    )
  const [apis, workers] = [await each('api'), await each('worker')]
  const programs = [...apis, ...workers]
  await Promise.all(programs.map((program) => program.untilStarted()))
  const [first] = apis
  if (!first?.inbound) throw new Error('no API was started')
  const url = baseOf(first.inbound)
  network.setCallbackUrl(`${url}/network/callbacks`)
  await until('the API is ready', () => fetch(`${url}/readyz`).then(({ ok }) => ok))
  const tenants = await createTenants({ url, operatorUrl: first.operatorUrl() }, receivers, started)
  const parts = started.move()
  return {
    database,
    network,
    chain,
    sqs,
    apis,
    workers,
    programs,
    tenants,
    start,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
