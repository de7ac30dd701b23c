import type { IRouter } from 'express'
import type { DeliveryStore } from '@quipu/core/adapter'
import type { EndpointControlStore, OverviewStore } from '@quipu/core/operator'
import { deliveryToJson, operatorEndpointToJson, pageToJson, parseDeliveryList } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'
import { endpointIdOf } from './endpoint-control-routes.ts'

export type EndpointRoutes = {
  readonly overview: Pick<OverviewStore, 'endpoint'>
  readonly endpointControl: Pick<EndpointControlStore, 'find'>
  readonly deliveries: Pick<DeliveryStore, 'list'>
}

/** An endpoint of any tenant, and its deliveries with the answers to their attempts. @source assumed */
export function endpointRoutes(
  router: IRouter,
  { overview, endpointControl, deliveries }: EndpointRoutes,
): void {
  bind(router, '/operator/v1/webhook-endpoints/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const shown = await overview.endpoint(endpointIdOf(req))
        if (!shown) throw new ApiError('WEBHOOK_NOT_FOUND')
        return { status: 200, json: operatorEndpointToJson(shown) }
      },
    }),
  })

  bind(router, '/operator/v1/webhook-endpoints/:id/deliveries', {
    get: allowed('viewer', {
      query: (search, res) => parseDeliveryList('operator', String(res.req.params['id']), search),
      async handle(_actor, { req, query: { query, scope } }) {
        const endpoint = await endpointControl.find(endpointIdOf(req))
        if (!endpoint) throw new ApiError('WEBHOOK_NOT_FOUND')
        const page = await deliveries.list(endpoint.tenantId, endpoint.id, query)
        return { status: 200, json: pageToJson(page, deliveryToJson, scope) }
      },
    }),
  })
}
