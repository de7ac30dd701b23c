import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import { askJson, type JsonReply } from '../../ask-json.ts'
import { databaseProbe, type DatabaseProbe } from './database-probe.fixture.ts'
import { roleDatabase } from './database-role.fixture.ts'
import { type ApiUrls, type Programs, programsOf } from './programs.fixture.ts'
import { until } from './process.fixture.ts'
import { openStripeReceiver, type StripeReceiver } from './stripe-receiver.fixture.ts'
import { closedQr, onboardTenant, type Payout, type Tenant, tenantAt } from './tenant.fixture.ts'

/** A tenant that can also call any path. */
export type WebhookTenant = Tenant & { ask(method: string, path: string, body?: unknown): Promise<JsonReply> }

/** A database, a QR network and a receiver, and the processes that a test starts and kills on them. */
export type WebhookHarness = AsyncDisposable &
  Programs<WebhookTenant> & {
    readonly database: DatabaseProbe
    readonly network: QrNetworkSimulator
    readonly receiver: StripeReceiver
    /** Registers the receiver. @returns the endpoint's id */
    register(tenant: WebhookTenant, url?: string): Promise<string>
    /** Creates payouts that fail on an empty wallet: one event each. */
    emitEvents(tenant: WebhookTenant, times: number): Promise<void>
  }

const networkToken = 'the-token-of-the-network'
const callbackSecret = 'the secret of the callbacks'

/** @param more  additional settings of all processes */
export async function openWebhookHarness(more: Readonly<Record<string, string>> = {}): Promise<WebhookHarness> {
  const resources = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T => resources.adopt(thing, () => thing.stop())
  const { url: ownerUrl, roleUrl } = resources.use(await roleDatabase())
  const database = own(databaseProbe(ownerUrl))
  const network = own(await startQrNetwork({ token: networkToken, callbackSecret }))
  const receiver = own(await openStripeReceiver())
  const env = {
    WEBHOOK_SECRET_KEY: '0f'.repeat(32),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_LEASE_SECONDS: '3',
    DATABASE_URL: roleUrl,
    QR_NETWORK_URL: network.url,
    QR_NETWORK_IDENTITY: 'simulator',
    QR_NETWORK_TOKEN: networkToken,
    QR_NETWORK_CALLBACK_SECRET: callbackSecret,
    ...more,
  }
  let apiKey = ''
  const tenantOf = async ({ url, operatorUrl }: ApiUrls): Promise<WebhookTenant> => {
    network.setCallbackUrl(`${url}/network/callbacks`)
    apiKey ||= await onboardTenant(operatorUrl)
    return webhookTenantAt(url, apiKey)
  }

  return {
    ...programsOf(resources, env, tenantOf),
    database,
    network,
    receiver,
    async register(tenant, url = receiver.url) {
      const { status, json } = await tenant.ask('POST', '/v1/webhooks', { url })
      if (status !== 201) throw new Error(JSON.stringify(json))
      const { id, secret } = json as { id: string; secret: string }
      receiver.secret = secret
      return id
    },
    async emitEvents(tenant, times) {
      const { content } = network.issueQr(closedQr('paid'))
      await Promise.all(Array.from({ length: times }, () => cancelled(tenant, content)))
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const webhookTenantAt = (url: string, apiKey: string): WebhookTenant => {
  const headers = { 'x-api-key': apiKey }
  return { ...tenantAt(url, apiKey), ask: (method, path, body) => askJson(url, { method, path, headers, body }) }
}

async function cancelled(tenant: WebhookTenant, content: string): Promise<void> {
  const order = await tenant.order(content)
  await until('a payout is cancelled', async () => {
    const { json } = await tenant.pay(order)
    const { error } = json as Payout
    if (error?.code === 'OPERATION_UNCERTAIN') return false // The database was too busy.
    if (error?.code !== 'INSUFFICIENT_BALANCE') throw new Error(JSON.stringify(json))
    return true
  })
}
