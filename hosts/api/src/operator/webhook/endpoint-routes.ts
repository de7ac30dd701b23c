import type { IRouter } from 'express'
import type { OverviewStore } from '@quipu/core/operator'
import { operatorEndpointToJson } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'
import { endpointIdOf } from './endpoint-control-routes.ts'

/** An endpoint of any tenant. @source assumed */
export function endpointRoutes(
  router: IRouter,
  { overview }: { readonly overview: Pick<OverviewStore, 'endpoint'> },
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
}
