import type { IRouter } from 'express'
import type { FaucetStore } from '@quipu/core/adapter'
import { listAllDeliveries, type ListAllDeliveriesPorts, type OverviewStore } from '@quipu/core/operator'
import {
  isId,
  operatorDeliveryToJson,
  operatorEventToJson,
  operatorFaucetSendToJson,
  parseOperatorDeliveryList,
  parseOperatorEventList,
  parseOperatorFaucetSendList,
  parseUuid,
  sentEventToJson,
} from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'
import { findByUuid } from './find-by-uuid.ts'

export type EventRoutes = ListAllDeliveriesPorts & {
  readonly overview: Pick<OverviewStore, 'events' | 'delivery' | 'faucetSends' | 'find'>
  readonly faucet: Pick<FaucetStore, 'get'>
}

/** The events of all tenants, their deliveries, and faucet sends. @source assumed */
export function eventRoutes(router: IRouter, ports: EventRoutes): void {
  const { overview } = ports
  const listDeliveries = listAllDeliveries(ports)

  bind(router, '/operator/v1/events', {
    get: allowedPage('viewer', {
      query: parseOperatorEventList,
      list: (query) => overview.events(query),
      toJson: operatorEventToJson,
    }),
  })

  bind(router, '/operator/v1/events/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const id = parseUuid(String(req.params['id']))
        const event = id === undefined ? undefined : await overview.event(id)
        if (!event) throw new ApiError('EVENT_NOT_FOUND')
        return { status: 200, json: sentEventToJson(event) }
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

  faucetSends(router, ports)
}

function faucetSends(router: IRouter, { overview, faucet }: EventRoutes): void {
  bind(router, '/operator/v1/faucet-sends', {
    get: allowedPage('viewer', {
      query: parseOperatorFaucetSendList,
      list: (query) => overview.faucetSends(query),
      toJson: operatorFaucetSendToJson,
    }),
  })

  bind(router, '/operator/v1/faucet-sends/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const found = await findByUuid(overview, 'faucet_send', String(req.params['id']))
        const send = found && (await faucet.get(found.tenantId, found.id))
        if (!send) throw new ApiError('NOT_FOUND')
        return { status: 200, json: operatorFaucetSendToJson(send) }
      },
    }),
  })
}
