import {
  type OpenHubSimulator,
  type QrNetworkSimulator,
  type Scenario,
  startOpenHub,
  startQrNetwork,
} from '@quipu/simulators'
import { databaseProbe, type DatabaseProbe } from './database-probe.fixture.ts'
import { type RoleDatabase, roleDatabase } from './database-role.fixture.ts'
import { type ApiUrls, type Programs, programsOf } from './programs.fixture.ts'
import { proxy, type Proxy } from './proxy.fixture.ts'
import { closedQr, onboard, type Order, type Tenant, tenantAt } from './tenant.fixture.ts'

/** A database and a QR network, and the API and worker processes that a test starts and kills on them. */
export type NetworkHarness<Network> = AsyncDisposable &
  Programs<Tenant> & {
    readonly database: DatabaseProbe
    readonly network: Network
    /** Requests that reach the point hang until `network.release()`; null: none. */
    hangAt(point: 'before_reading' | 'before_paying' | 'after_paying' | 'before_status' | null): Promise<unknown>
    /** The network refuses connections, or accepts them again. */
    setDown(isDown: boolean): Promise<unknown>
    /** It pays the next orders, and their answers are lost. */
    loseAnswers(count: number): Promise<unknown>
    /** Between the processes and the network. */
    readonly networkProxy: Proxy
    /** The references of all payments that the network has made, each as often as it was paid. */
    paid(): readonly string[]
    /** Number of orders that the network has got for a payout. */
    orderCount(id: string): number
    /** Number of requests about a payout after its order: by its id, or by the reading that it pays. */
    queryCount(id: string): number
    /** A proxy to the API, and the tenant that calls through it. */
    proxyTo(api: ApiUrls): Promise<Proxy & Tenant>
    /** Creates an order for a new QR. */
    order(tenant: Tenant, scenario?: Scenario): Promise<Order>
  }

export type PayoutHarness = NetworkHarness<QrNetworkSimulator>

const networkToken = 'the-token-of-the-network'
const callbackSecret = 'the secret of the callbacks'

/** The controls of both simulated networks. */
type AnyNetwork = Pick<QrNetworkSimulator & OpenHubSimulator, 'untilHanging' | 'release'>

/** A harness of either kind of network, for the tests of both. */
export type AnyHarness = NetworkHarness<AnyNetwork>

/** @param options  the database to use, a new one by default; how the tenant is made, with funds by default; more settings */
export async function openPayoutHarness(
  options: Partial<Pick<RoleDatabase, 'url' | 'roleUrl'>> & Pick<NetworkSetting<unknown>, 'onboarded' | 'more'> = {},
): Promise<PayoutHarness> {
  const network = await startQrNetwork({ token: networkToken, callbackSecret, lateMs: 300 })
  const { url, roleUrl, ...how } = options
  return openNetworkHarness(network, {
    ...how,
    role: url !== undefined && roleUrl !== undefined ? { url, roleUrl } : undefined,
    env: (url) => ({
      QR_NETWORK_URL: url,
      QR_NETWORK_IDENTITY: 'simulator',
      QR_NETWORK_TOKEN: networkToken,
      QR_NETWORK_CALLBACK_SECRET: callbackSecret,
    }),
    onApi: ({ url }) => network.setCallbackUrl(`${url}/network/callbacks`),
    paid: () =>
      network.ledger().payments.flatMap(({ reference, times_paid }) => Array<string>(times_paid).fill(reference)),
    orderCount: (id) => network.requests(id)[0]?.put ?? 0,
    queryCount: (id) => {
      const [seen] = network.requests(id)
      return (seen?.get ?? 0) + (seen?.cancel ?? 0)
    },
    hangAt: (point) => network.setFaults({ hang_at: point }),
    setDown: (isDown) => network.setFaults({ down: isDown && 'refuse' }),
    loseAnswers: (count) => network.setFaults({ drop_answer_after_paying: count }),
  })
}

/** The same over OpenHub. */
export async function openOpenHubHarness(): Promise<NetworkHarness<OpenHubSimulator>> {
  const network = await startOpenHub({ clientId: 'quipu', clientSecret: networkToken })
  return openNetworkHarness(network, {
    env: (url) => ({
      QR_NETWORK: 'openhub',
      QR_NETWORK_IDENTITY: 'simulator',
      OPENHUB_URL: url,
      OPENHUB_CLIENT_ID: 'quipu',
      OPENHUB_CLIENT_SECRET: networkToken,
      OPENHUB_NIT: network.nit,
      OPENHUB_SOURCE_ACCOUNT: network.accounts[0],
    }),
    paid: () =>
      network.ledger().orders.flatMap(({ transaccion_id, paid_at }) => (paid_at === null ? [] : [transaccion_id])),
    orderCount: (id) => network.requests(id)[0]?.confirm ?? 0,
    queryCount: (id) => network.requests(network.ledger(id).orders[0]?.scanned)[0]?.status ?? 0,
    hangAt: (point) => network.setSwitches({ hang_at: point }),
    setDown: (isDown) => network.setSwitches({ down: isDown && 'refuse' }),
    loseAnswers: (count) =>
      network.setSwitches({ reply_next: [{ operation: 'confirm', reply: 'lost', course: 'paid', times: count }] }),
  })
}

/** Both kinds of network, by what they are called in the names of tests, and the tags of these. */
export const harnesses: readonly (readonly [kind: string, open: () => Promise<AnyHarness>, tags: string[]])[] = [
  ['that cancels', openPayoutHarness, []],
  ['that cannot cancel', openOpenHubHarness, ['long']],
]

type Simulator = Pick<QrNetworkSimulator | OpenHubSimulator, 'url' | 'issueQr' | 'stop'>

type NetworkSetting<Network> = Pick<
  NetworkHarness<Network>,
  'paid' | 'orderCount' | 'queryCount' | 'hangAt' | 'setDown' | 'loseAnswers'
> & {
  readonly role?: Pick<RoleDatabase, 'url' | 'roleUrl'> | undefined
  /** Creates the tenant. @returns its key */
  readonly onboarded?: (operatorUrl: string, databaseUrl: string) => Promise<string>
  readonly more?: Readonly<Record<string, string>>
  /** The settings of API and worker for a network at this URL. */
  readonly env: (url: string) => Readonly<Record<string, string>>
  readonly onApi?: (api: ApiUrls) => void
}

async function openNetworkHarness<Network extends Simulator>(
  network: Network,
  { role, onboarded = onboard, more, env, onApi, ...views }: NetworkSetting<Network>,
): Promise<NetworkHarness<Network>> {
  const resources = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T => resources.adopt(thing, () => thing.stop())
  own(network)
  const { url, roleUrl } = role ?? resources.use(await roleDatabase())
  const networkProxy = own(await proxy(network.url))
  const database = own(databaseProbe(url))
  let apiKey = ''
  const tenantOf = async (api: ApiUrls): Promise<Tenant> => {
    onApi?.(api)
    apiKey ||= await onboarded(api.operatorUrl, roleUrl)
    return tenantAt(api.url, apiKey)
  }

  return {
    ...programsOf(resources, { DATABASE_URL: roleUrl, ...env(networkProxy.url), ...more }, tenantOf),
    ...views,
    database,
    network,
    networkProxy,
    async proxyTo({ url }) {
      const between = own(await proxy(url))
      return { ...between, ...tenantAt(between.url, apiKey) }
    },
    order: (tenant, scenario = 'paid') => tenant.order(network.issueQr(closedQr(scenario)).content),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
