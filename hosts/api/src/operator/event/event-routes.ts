import type { IRouter } from 'express'
import type { OverviewStore } from '@quipu/core/operator'
import { operatorEventToJson, parseOperatorEventList, parseUuid, sentEventToJson } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'

/** The events of all tenants. */
export function eventRoutes(
  router: IRouter,
  { overview }: { readonly overview: Pick<OverviewStore, 'events' | 'event'> },
): void {
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
}
