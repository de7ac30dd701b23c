import type { IRouter } from 'express'
import type { OverviewStore } from '@quipu/core/operator'
import { operatorEventToJson, parseOperatorEventList, parseUuid, sentEventToJson } from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowedPage, allowedRecord } from '../allowed.ts'

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
    get: allowedRecord(
      'viewer',
      'EVENT_NOT_FOUND',
      async (req) => {
        const id = parseUuid(String(req.params['id']))
        return id === undefined ? undefined : overview.event(id)
      },
      sentEventToJson,
    ),
  })
}
