import { QuipuError } from '../request/errors.ts'
import type {
  Delivery,
  DeliveryPage,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  ReactivatedWebhook,
  RotateSecretRequest,
  Webhook,
  WebhookPage,
  WebhookPatch,
  WebhookRequest,
  WebhookTest,
  WebhookWithQueue,
  WebhookWithSecret,
} from '../openapi/openapi.ts'
import { type Pages, pages } from '../request/pages.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** Where you are told what happens. */
export type Webhooks = {
  /**
   * Registers an endpoint. The answer's `secret` is never shown again.
   *
   * Not repeated once it may have arrived: when `error.uncertain`, look for it with `list`, and
   * delete it or rotate its secret.
   */
  create(request: WebhookRequest, options?: CallOptions): Promise<WebhookWithSecret>
  /** Newest first. */
  list(query?: ListWebhooksQuery, options?: CallOptions): Pages<WebhookPage>
  get(id: string, options?: CallOptions): Promise<WebhookWithQueue>
  update(id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook>
  delete(id: string, options?: CallOptions): Promise<void>
  /** Sends a `webhook.test` at once, and says what your server made of it. */
  test(id: string, options?: CallOptions): Promise<WebhookTest>
  /** Ends a pause: sends what was queued, and what ran out of attempts in the last 7 days. */
  reactivate(id: string, options?: CallOptions): Promise<ReactivatedWebhook>
  /** The secret before stays valid for `grace_seconds`; until then deliveries are signed with both. */
  rotateSecret(
    id: string,
    request?: RotateSecretRequest,
    options?: CallOptions,
  ): Promise<WebhookWithSecret>
  readonly deliveries: Deliveries
}

/** What became of each event on its way to an endpoint. */
export type Deliveries = {
  /** Newest first. */
  list(webhookId: string, query?: ListDeliveriesQuery, options?: CallOptions): Pages<DeliveryPage>
  get(webhookId: string, id: string, options?: CallOptions): Promise<Delivery>
  /** Sends a delivery that has ended once more. */
  resend(webhookId: string, id: string, options?: CallOptions): Promise<Delivery>
}

export const webhooks = (send: Send): Webhooks => ({
  create: (body, options) => send('createWebhook', { body }, options),
  list: (query = {}, options = {}) =>
    pages((cursor = query.cursor) =>
      send('listWebhooks', { query: { ...query, cursor } }, options),
    ),
  get: (id, options) => send('getWebhook', { params: { id } }, options),
  update: (id, body, options) => send('updateWebhook', { params: { id }, body }, options),
  async delete(id, options) {
    try {
      await send('deleteWebhook', { params: { id } }, options)
    } catch (error) {
      // An earlier attempt deleted it, and its answer was lost.
      const gone = error instanceof QuipuError && error.uncertain && error.status === 404
      if (!gone) throw error
    }
  },
  test: (id, options) => send('testWebhook', { params: { id } }, options),
  reactivate: (id, options) => send('reactivateWebhook', { params: { id } }, options),
  rotateSecret: (id, body, options) =>
    send('rotateWebhookSecret', { params: { id }, body }, options),
  deliveries: {
    list: (id, query = {}, options = {}) =>
      pages((cursor = query.cursor) =>
        send('listDeliveries', { params: { id }, query: { ...query, cursor } }, options),
      ),
    get: (id, delivery_id, options) =>
      send('getDelivery', { params: { id, delivery_id } }, options),
    resend: (id, delivery_id, options) =>
      send('resendDelivery', { params: { id, delivery_id } }, options),
  },
})
