import type { IRouter } from 'express'
import { listAllDeliveries, type ListAllDeliveriesPorts, type OverviewStore } from '@quipu/core/operator'
import {
  operatorDeliveryToJson,
  operatorEndpointToJson,
  parseOperatorDeliveryList,
  parseOperatorEndpointList,
} from '@quipu/wire'
import { bind, idInPath } from '../../http/routing.ts'
import { allowedPage, allowedRecord } from '../allowed.ts'
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
    get: allowedRecord(
      'viewer',
      'WEBHOOK_NOT_FOUND',
      (req) => overview.endpoint(endpointIdOf(req)),
      operatorEndpointToJson,
    ),
  })

  bind(router, '/operator/v1/webhook-deliveries', {
    get: allowedPage('viewer', {
      query: parseOperatorDeliveryList,
      list: listDeliveries,
      toJson: operatorDeliveryToJson,
    }),
  })

  bind(router, '/operator/v1/webhook-deliveries/:id', {
    get: allowedRecord(
      'viewer',
      'DELIVERY_NOT_FOUND',
      (req) => overview.delivery(deliveryIdOf(req)),
      operatorDeliveryToJson,
    ),
  })
}

const deliveryIdOf = idInPath('dlv', 'DELIVERY_NOT_FOUND')
