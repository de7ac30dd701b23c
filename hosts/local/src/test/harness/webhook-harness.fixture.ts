import { openPayoutHarness, type PayoutHarness } from './payout-harness.fixture.ts'
import { until } from './process.fixture.ts'
import { openStripeReceiver, type StripeReceiver } from './stripe-receiver.fixture.ts'
import { closedQr, onboardTenant, type Payout, type Tenant } from './tenant.fixture.ts'

/** A payout harness whose tenant has no money, with a receiver of webhooks. */
export type WebhookHarness = PayoutHarness & {
  readonly receiver: StripeReceiver
  /** Registers the receiver. @returns the endpoint's id */
  register(tenant: Tenant, url?: string): Promise<string>
  /** Creates payouts that fail on an empty wallet: one event each. */
  emitEvents(tenant: Tenant, times: number): Promise<void>
}

/** @param more  additional settings of all processes */
export async function openWebhookHarness(more: Readonly<Record<string, string>> = {}): Promise<WebhookHarness> {
  const resources = new AsyncDisposableStack()
  const receiver = resources.adopt(await openStripeReceiver(), (it) => it.stop())
  const settings = { WEBHOOK_SECRET_KEY: '0f'.repeat(32), WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_LEASE_SECONDS: '3' }
  const harness = resources.use(await openPayoutHarness({ onboarded: onboardTenant, more: { ...settings, ...more } }))
  return {
    ...harness,
    receiver,
    async register(tenant, url = receiver.url) {
      const { status, json } = await tenant.ask('POST', '/v1/webhooks', { url })
      if (status !== 201) throw new Error(JSON.stringify(json))
      const { id, secret } = json as { id: string; secret: string }
      receiver.secret = secret
      return id
    },
    async emitEvents(tenant, times) {
      const { content } = harness.network.issueQr(closedQr('paid'))
      await Promise.all(Array.from({ length: times }, () => cancelled(tenant, content)))
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function cancelled(tenant: Tenant, content: string): Promise<void> {
  const order = await tenant.order(content)
  await until('a payout is cancelled', async () => {
    const { json } = await tenant.pay(order)
    const { error } = json as Payout
    if (error?.code === 'OPERATION_UNCERTAIN') return false // The database was too busy.
    if (error?.code !== 'INSUFFICIENT_BALANCE') throw new Error(JSON.stringify(json))
    return true
  })
}
