import { type Clock, type SignatureFault, verifyWebhook } from '@quipu/core'
import { aesSecretBox } from '@quipu/runtime'
import { systemClock, systemRandom } from '@quipu/core/system'
import { httpWebhookSender, webhookUrlGuard } from '@quipu/webhook-http'
import type { PostgresApi } from './postgres-api.fixture.ts'
import { receiver, type Received, type Receiver } from './receiver.fixture.ts'
import type { TestTenant } from './tenant.fixture.ts'
import { sendDue } from './webhooks.fixture.ts'

const secretKey = '0f'.repeat(32)

/** The settings of an API that sends webhooks to receivers on this machine. */
export const webhookEnv = { WEBHOOK_SECRET_KEY: secretKey, WEBHOOK_ALLOW_PRIVATE: 'true' }

type RegisteredEndpoint = { readonly id: string; readonly secret: string }

/** A tenant of an API with webhooks, and a receiver for them. */
export type WebhookSetup = {
  readonly tenant: TestTenant
  readonly inbox: Receiver
  /** Registers the inbox as an endpoint. @returns the endpoint with its secret */
  register(by?: TestTenant): Promise<RegisteredEndpoint>
  /** Sends what is due, as a worker with the API's key does. */
  deliver(now?: Clock): Promise<void>
  close(): Promise<void>
}

export async function webhookSetup(server: PostgresApi): Promise<WebhookSetup> {
  const tenant = await server.tenant()
  const inbox = await receiver()
  const sender = httpWebhookSender({ allowPrivate: true })
  const secretBox = aesSecretBox([{ id: '1', key: Uint8Array.from(Buffer.from(secretKey, 'hex')) }], systemRandom)
  const ports = { sender, secretBox, urlGuard: webhookUrlGuard() }
  return {
    tenant,
    inbox,
    register: async (by = tenant) => {
      const reply = await by.post('/v1/webhooks', { url: inbox.url })
      return reply.json as RegisteredEndpoint
    },
    deliver: (now = systemClock) => sendDue(server.stores, ports, now)(),
    close: async () => {
      await sender.stop()
      await inbox.stop()
    },
  }
}

/** Why a receiver with this secret rejects the request; null when it accepts it. */
export function signatureFault(secret: string, received: Received | undefined): SignatureFault | null {
  if (!received) throw new Error('nothing was received')
  const { headers, body } = received
  return verifyWebhook([secret], String(headers['x-service-signature']), body, new Date())
}
