import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import { askJson, type JsonReply } from '../../ask-json.ts'
import { databaseProbe, type DatabaseProbe } from './database-probe.fixture.ts'
import { roleDatabase } from './database-role.fixture.ts'
import { type ApiUrls, type Programs, programsOf } from './programs.fixture.ts'
import { openStripeReceiver, type StripeReceiver } from './stripe-receiver.fixture.ts'
import { closedQr, onboardTenant, type Payout, type Tenant, tenantAt } from './tenant.fixture.ts'

/** A tenant that asks an API. */
export type WebhookTenant = Tenant & {
  ask(method: string, path: string, body?: unknown): Promise<JsonReply>
}

/** A database, a QR network and a receiver that outlive the processes which use them. */
export type WebhookWorld = AsyncDisposable &
  Programs<WebhookTenant> & {
    readonly database: DatabaseProbe
    readonly network: QrNetworkSimulator
    readonly receiver: StripeReceiver
    /** Registers the receiver. @returns the endpoint's id */
    register(tenant: WebhookTenant, url?: string): Promise<string>
    /** Payouts that an empty wallet cannot pay: as many events. */
    happen(tenant: WebhookTenant, times: number): Promise<void>
  }

const networkToken = 'the-token-of-the-network'
const callbackSecret = 'the secret of the callbacks'

/** @param more  what the API and every worker are told besides */
export async function openWebhookWorld(
  more: Readonly<Record<string, string>> = {},
): Promise<WebhookWorld> {
  const things = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T =>
    things.adopt(thing, () => thing.stop())
  const { url: ownerUrl, roleUrl } = things.use(await roleDatabase())
  const database = own(databaseProbe(ownerUrl))
  const network = own(await startQrNetwork({ token: networkToken, callbackSecret }))
  const receiver = own(await openStripeReceiver())
  const env = {
    WEBHOOK_SECRET_KEY: '0f'.repeat(32),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_LEASE_SECONDS: '3',
    DATABASE_URL: roleUrl,
    QR_NETWORK_URL: network.url,
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
    ...programsOf(things, env, tenantOf),
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
    async happen(tenant, times) {
      const { content } = network.issueQr(closedQr('paid'))
      await Promise.all(Array.from({ length: times }, () => cancelled(tenant, content)))
    },
    [Symbol.asyncDispose]: () => things.disposeAsync(),
  }
}

const webhookTenantAt = (url: string, apiKey: string): WebhookTenant => {
  const headers = { 'x-api-key': apiKey }
  return {
    ...tenantAt(url, apiKey),
    ask: (method, path, body) => askJson(url, { method, path, headers, body }),
  }
}

async function cancelled(tenant: WebhookTenant, content: string): Promise<void> {
  const { json } = await tenant.pay(await tenant.order(content))
  const { error } = json as Payout
  if (error?.code !== 'INSUFFICIENT_BALANCE') throw new Error(JSON.stringify(json))
}
