import { type QrNetworkSimulator, type Scenario, startQrNetwork } from '@quipu/simulators'
import { databaseProbe, type DatabaseProbe } from './database-probe.fixture.ts'
import { type RoleDatabase, roleDatabase } from './database-role.fixture.ts'
import { type ApiUrls, type Programs, programsOf } from './programs.fixture.ts'
import { proxy, type Proxy } from './proxy.fixture.ts'
import { closedQr, onboard, type Order, type Tenant, tenantAt } from './tenant.fixture.ts'

/** A database and a QR network, and the API and worker processes that a test starts and kills on them. */
export type PayoutHarness = AsyncDisposable &
  Programs<Tenant> & {
    readonly database: DatabaseProbe
    readonly network: QrNetworkSimulator
    /** Between the processes and the network. */
    readonly networkProxy: Proxy
    /** A proxy to the API, and the tenant that calls through it. */
    proxyTo(api: ApiUrls): Promise<Proxy & Tenant>
    /** Creates an order for a new QR. */
    order(tenant: Tenant, scenario?: Scenario): Promise<Order>
  }

const networkToken = 'the-token-of-the-network'
const callbackSecret = 'the secret of the callbacks'

/** @param role  the database to use; a new one by default */
export async function openPayoutHarness(role?: Pick<RoleDatabase, 'url' | 'roleUrl'>): Promise<PayoutHarness> {
  const resources = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T => resources.adopt(thing, () => thing.stop())
  const { url, roleUrl } = role ?? resources.use(await roleDatabase())
  const network = own(await startQrNetwork({ token: networkToken, callbackSecret, lateMs: 300 }))
  const networkProxy = own(await proxy(network.url))
  const database = own(databaseProbe(url))
  const env = {
    DATABASE_URL: roleUrl,
    QR_NETWORK_URL: networkProxy.url,
    QR_NETWORK_IDENTITY: 'simulator',
    QR_NETWORK_TOKEN: networkToken,
    QR_NETWORK_CALLBACK_SECRET: callbackSecret,
  }
  let apiKey = ''
  const tenantOf = async ({ url, operatorUrl }: ApiUrls): Promise<Tenant> => {
    network.setCallbackUrl(`${url}/network/callbacks`)
    apiKey ||= await onboard(operatorUrl, roleUrl)
    return tenantAt(url, apiKey)
  }

  return {
    ...programsOf(resources, env, tenantOf),
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
