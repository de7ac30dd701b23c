import { type QrNetworkSimulator, type Scenario, startQrNetwork } from '@quipu/simulators'
import { databaseProbe, type DatabaseProbe } from './database-probe.fixture.ts'
import { type RoleDatabase, roleDatabase } from './database-role.fixture.ts'
import { type ApiUrls, type Programs, programsOf } from './programs.fixture.ts'
import { proxy, type Proxy } from './proxy.fixture.ts'
import { closedQr, onboard, type Order, type Tenant, tenantAt } from './tenant.fixture.ts'

/** A database and a QR network that outlive the processes which use them. */
export type World = AsyncDisposable &
  Programs<Tenant> & {
    readonly database: DatabaseProbe
    readonly network: QrNetworkSimulator
    /** Between the API or worker and the network. */
    readonly wire: Proxy
    /** A wire to the API, and the tenant at the other end of it. */
    wireTo(api: ApiUrls): Promise<Proxy & Tenant>
    /** An order for a new QR. */
    order(tenant: Tenant, scenario?: Scenario): Promise<Order>
  }

const networkToken = 'the-token-of-the-network'
const callbackSecret = 'the secret of the callbacks'

/** @param role  the database, used by the processes as their role; one of its own by default */
export async function openWorld(role?: Pick<RoleDatabase, 'url' | 'roleUrl'>): Promise<World> {
  const things = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T =>
    things.adopt(thing, () => thing.stop())
  const { url, roleUrl } = role ?? things.use(await roleDatabase())
  const network = own(await startQrNetwork({ token: networkToken, callbackSecret, lateMs: 300 }))
  const wire = own(await proxy(network.url))
  const database = own(databaseProbe(url))
  const env = {
    DATABASE_URL: roleUrl,
    QR_NETWORK_URL: wire.url,
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
    ...programsOf(things, env, tenantOf),
    database,
    network,
    wire,
    async wireTo({ url }) {
      const between = own(await proxy(url))
      return { ...between, ...tenantAt(between.url, apiKey) }
    },
    order: (tenant, scenario = 'paid') => tenant.order(network.issueQr(closedQr(scenario)).content),
    [Symbol.asyncDispose]: () => things.disposeAsync(),
  }
}
