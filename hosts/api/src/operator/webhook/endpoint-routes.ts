import type { IRouter } from 'express'
import { listAllDeliveries, type ListAllDeliveriesPorts, type OverviewStore } from '@quipu/core/operator'
import {
  isId,
  operatorDeliveryToJson,
  operatorEndpointToJson,
  parseOperatorDeliveryList,
  parseOperatorEndpointList,
} from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { endpointIdOf } from './endpoint-control-routes.ts'

export type EndpointRoutes = ListAllDeliveriesPorts & {
  readonly overview: Pick<OverviewStore, 'endpoints' | 'endpoint' | 'delivery'>
}

/** The endpoints of all tenants, and their deliveries. */
export function endpointRoutes(router: IRouter, ports: EndpointRoutes): void {
  const { overview } = ports
  const listDeliveries = listAllDeliveries(ports)

  bind(router, '/operator/v1/webhook-endpoints', {
    get: allowedPage('viewer', {
      query: parseOperatorEndpointList,
      list: (query) => overview.endpoints(query),
      toJson: operatorEndpointToJson,
    }),
  })

  bind(router, '/operator/v1/webhook-endpoints/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const shown = await overview.endpoint(endpointIdOf(req))
        if (!shown) throw new ApiError('WEBHOOK_NOT_FOUND')
        return { status: 200, json: operatorEndpointToJson(shown) }
      },
    }),
  })

  bind(router, '/operator/v1/webhook-deliveries', {
    get: allowedPage('viewer', {
      query: parseOperatorDeliveryList,
      list: listDeliveries,
      toJson: operatorDeliveryToJson,
    }),
  })

  bind(router, '/operator/v1/webhook-deliveries/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const id = String(req.params['id'])
        const delivery = isId('dlv', id) ? await overview.delivery(id) : undefined
        if (!delivery) throw new ApiError('DELIVERY_NOT_FOUND')
        return { status: 200, json: operatorDeliveryToJson(delivery) }
      },
    }),
  })
}
