import type { IRouter, Request } from 'express'
import type { WebhookEndpoint } from '@quipu/core'
import { type DeliveryStore, eventIdOfDelivery, type WebhookStore } from '@quipu/core/adapter'
import { deliveryToJson, pageToJson, parseDeliveryList, parseNoBody, parseReplay, replayedToJson } from '@quipu/wire'
import { ApiError, invalid } from '../http/api-error.ts'
import { bind } from '../http/routing.ts'
import { callerOf } from './authentication.ts'
import { scoped } from './scoped.ts'
import { endpointOf } from './webhook-routes.ts'

export type DeliveryRoutes = {
  readonly webhooks: Pick<WebhookStore, 'get'>
  readonly deliveries: Pick<DeliveryStore, 'get' | 'list' | 'resend' | 'replay'>
}

/** The deliveries of each event to an endpoint. */
export function deliveryRoutes(router: IRouter, ports: DeliveryRoutes): void {
  const { webhooks, deliveries } = ports
  bind(router, '/v1/webhooks/:id/replay', {
    post: scoped('webhooks:write', {
      body: (json, { res, params }) => {
        if (!res) throw new TypeError('a request without its response')
        return parseReplay(callerOf(res).tenant.id, String(params['id']), json)
      },
      async handle({ tenant }, { req, body: { query, scope } }) {
        const endpoint = await endpointOf(webhooks, tenant.id, req)
        const batch = await deliveries.replay(tenant.id, endpoint.id, query)
        if (batch === 'not_found') throw new ApiError('WEBHOOK_NOT_FOUND')
        if (batch === 'paused_by_operator') throw new ApiError('WEBHOOK_PAUSED_BY_OPERATOR')
        if (batch === 'future') throw invalid([{ field: 'since', message: 'must not be in the future' }])
        return { status: 202, json: replayedToJson(batch, scope) }
      },
    }),
  })
  bind(router, '/v1/webhooks/:id/deliveries', {
    get: scoped('webhooks:read', {
      query: (search, res) => {
        const webhookId = String(res.req.params['id'])
        return parseDeliveryList(callerOf(res).tenant.id, webhookId, search)
      },
      async handle({ tenant }, { req, query: { query, scope } }) {
        const endpoint = await endpointOf(webhooks, tenant.id, req)
        const page = await deliveries.list(tenant.id, endpoint.id, query)
        return { status: 200, json: pageToJson(page, deliveryToJson, scope) }
      },
    }),
  })

  bind(router, '/v1/webhooks/:id/deliveries/:delivery_id', {
    get: scoped('webhooks:read', {
      async handle({ tenant }, { req }) {
        const endpoint = await endpointOf(webhooks, tenant.id, req)
        return { status: 200, json: await shown(deliveries, endpoint, eventIdOf(endpoint, req)) }
      },
    }),
  })

  bind(router, '/v1/webhooks/:id/deliveries/:delivery_id/resend', {
    post: scoped('webhooks:write', {
      body: parseNoBody,
      async handle({ tenant }, { req }) {
        const endpoint = await endpointOf(webhooks, tenant.id, req)
        const eventId = eventIdOf(endpoint, req)
        const resent = await deliveries.resend(tenant.id, { endpointId: endpoint.id, eventId })
        if (resent === 'not_found') throw notFound()
        if (resent === 'pending') throw new ApiError('DELIVERY_PENDING')
        if (resent === 'paused_by_operator') throw new ApiError('WEBHOOK_PAUSED_BY_OPERATOR')
        return { status: 202, json: await shown(deliveries, endpoint, eventId) }
      },
    }),
  })
}

async function shown(deliveries: Pick<DeliveryStore, 'get'>, endpoint: WebhookEndpoint, eventId: string) {
  const delivery = await deliveries.get(endpoint.tenantId, { endpointId: endpoint.id, eventId })
  if (!delivery) throw notFound()
  return deliveryToJson(delivery)
}

/** The id of the event whose delivery the path names. @throws ApiError 404 when it is malformed */
function eventIdOf(endpoint: WebhookEndpoint, req: Request): string {
  const eventId = eventIdOfDelivery(endpoint.id, String(req.params['delivery_id']))
  if (eventId === undefined) throw notFound()
  return eventId
}

const notFound = (): ApiError => new ApiError('DELIVERY_NOT_FOUND')
