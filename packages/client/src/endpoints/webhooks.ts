import { QuipuError } from '../request/errors.ts'
import type {
  Delivery,
  DeliveryPage,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  ReactivatedWebhook,
  ReplayedBatch,
  ReplayRequest,
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

/** Endpoints of yours that receive events. */
export type Webhooks = {
  /**
   * Registers an endpoint. Only this answer shows its `secret`.
   *
   * Not retried once it may have taken effect: on `error.uncertain`, find the endpoint with `list`,
   * and delete it or rotate its secret.
   */
  create(request: WebhookRequest, options?: CallOptions): Promise<WebhookWithSecret>
  /** Newest first. */
  list(query?: ListWebhooksQuery, options?: CallOptions): Pages<WebhookPage>
  get(id: string, options?: CallOptions): Promise<WebhookWithQueue>
  update(id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook>
  delete(id: string, options?: CallOptions): Promise<void>
  /** Sends a `webhook.test` at once, and answers the result. */
  test(id: string, options?: CallOptions): Promise<WebhookTest>
  /** Lets its events queue until `reactivate`. */
  pause(id: string, options?: CallOptions): Promise<Webhook>
  /** Ends a pause: sends queued deliveries, and those that recently ran out of attempts. */
  reactivate(id: string, options?: CallOptions): Promise<ReactivatedWebhook>
  /**
   * Sends a batch of the events since an instant again, oldest first, with the same ids. Repeat it with `next_cursor`
   * until that is null; a second whole replay sends what was sent once more.
   */
  replay(id: string, request: ReplayRequest, options?: CallOptions): Promise<ReplayedBatch>
  /** Replaces the secret. The old one stays valid for `grace_seconds`; until then deliveries carry both signatures. */
  rotateSecret(id: string, request?: RotateSecretRequest, options?: CallOptions): Promise<WebhookWithSecret>
  readonly deliveries: Deliveries
}

/** Deliveries of events to an endpoint, with their attempts. */
export type Deliveries = {
  /** Newest first. */
  list(webhookId: string, query?: ListDeliveriesQuery, options?: CallOptions): Pages<DeliveryPage>
  get(webhookId: string, id: string, options?: CallOptions): Promise<Delivery>
  /** Sends a delivery again that has ended. */
  resend(webhookId: string, id: string, options?: CallOptions): Promise<Delivery>
}

export const webhooks = (send: Send): Webhooks => ({
  create: (body, options) => send('createWebhook', { body }, options),
  list: (query = {}, options = {}) =>
    pages((cursor = query.cursor) => send('listWebhooks', { query: { ...query, cursor } }, options)),
  get: (id, options) => send('getWebhook', { params: { id } }, options),
  update: (id, body, options) => send('updateWebhook', { params: { id }, body }, options),
  async delete(id, options) {
    try {
      await send('deleteWebhook', { params: { id } }, options)
    } catch (error) {
      // An earlier attempt deleted it; the answer to that attempt was lost.
      const gone = error instanceof QuipuError && error.uncertain && error.status === 404
      if (!gone) throw error
    }
  },
  test: (id, options) => send('testWebhook', { params: { id } }, options),
  pause: (id, options) => send('pauseWebhook', { params: { id } }, options),
  reactivate: (id, options) => send('reactivateWebhook', { params: { id } }, options),
  replay: (id, body, options) => send('replayEvents', { params: { id }, body }, options),
  rotateSecret: (id, body, options) => send('rotateWebhookSecret', { params: { id }, body }, options),
  deliveries: {
    list: (id, query = {}, options = {}) =>
      pages((cursor = query.cursor) =>
        send('listDeliveries', { params: { id }, query: { ...query, cursor } }, options),
      ),
    get: (id, delivery_id, options) => send('getDelivery', { params: { id, delivery_id } }, options),
    resend: (id, delivery_id, options) => send('resendDelivery', { params: { id, delivery_id } }, options),
  },
})
