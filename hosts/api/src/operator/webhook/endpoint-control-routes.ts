import type { IRouter, Request } from 'express'
import { eventIdOfDelivery } from '@quipu/core/adapter'
import type { ControlEndpoints, EndpointControlRefusal } from '@quipu/core/operator'
import {
  deliveryToJson,
  endpointStateToJson,
  type HttpErrorCode,
  parseEndpointPause,
  parseEndpointResumption,
  parseNoBody,
  resumedEndpointToJson,
} from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind, idInPath } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'

export type EndpointControlRoutes = { readonly controlEndpoints: ControlEndpoints }

/** Operators pause and resume endpoints of any tenant, and resend their deliveries. */
export function endpointControlRoutes(router: IRouter, { controlEndpoints }: EndpointControlRoutes): void {
  const path = '/operator/v1/webhook-endpoints/:id'
  bind(router, `${path}/pause`, {
    post: allowed('operator', {
      body: parseEndpointPause,
      async handle(actor, { req, body: { reason } }) {
        const { endpoint } = done(await controlEndpoints.pause(actor, endpointIdOf(req), reason))
        return { status: 200, json: endpointStateToJson(endpoint) }
      },
    }),
  })
  bind(router, `${path}/resume`, {
    post: allowed('operator', {
      body: parseEndpointResumption,
      async handle(actor, { req, body: { reason = null } }) {
        const resumed = done(await controlEndpoints.resume(actor, endpointIdOf(req), reason))
        return { status: 200, json: resumedEndpointToJson(resumed) }
      },
    }),
  })
  bind(router, `${path}/deliveries/:delivery_id/resend`, {
    post: allowed('operator', {
      body: parseNoBody,
      async handle(actor, { req }) {
        const endpointId = endpointIdOf(req)
        const eventId = eventIdOfDelivery(endpointId, String(req.params['delivery_id']))
        if (eventId === undefined) throw new ApiError('DELIVERY_NOT_FOUND')
        const { delivery } = done(await controlEndpoints.resend(actor, { endpointId, eventId }))
        return { status: 202, json: deliveryToJson(delivery) }
      },
    }),
  })
}

export const endpointIdOf: (req: Request) => string = idInPath('we', 'WEBHOOK_NOT_FOUND')

const codes: Readonly<Record<EndpointControlRefusal['code'], HttpErrorCode>> = {
  endpoint_not_found: 'WEBHOOK_NOT_FOUND',
  delivery_not_found: 'DELIVERY_NOT_FOUND',
  delivery_pending: 'DELIVERY_PENDING',
}

/** @throws ApiError when it was refused */
function done<Done extends { readonly type: 'done' }>(result: Done | EndpointControlRefusal): Done {
  if (result.type === 'done') return result
  throw new ApiError(codes[result.code])
}
