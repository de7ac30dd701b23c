import type { IRouter } from 'express'
import type { EventStore } from '@quipu/core/adapter'
import { eventPageText, eventText, parseEventList, parseUuid } from '@quipu/wire'
import { ApiError } from '../http/api-error.ts'
import { bind } from '../http/routing.ts'
import { callerOf } from './authentication.ts'
import { scoped } from './scoped.ts'

/** Answers with the bytes that are delivered. @source spec §6 Envelope; the endpoints are assumed */
export function eventRoutes(router: IRouter, events: Pick<EventStore, 'get' | 'list'>): void {
  bind(router, '/v1/events', {
    get: scoped('webhooks:read', {
      query: (search, res) => parseEventList(callerOf(res).tenant.id, search),
      async handle({ tenant }, { query: { query, scope } }) {
        const page = await events.list(tenant.id, query)
        return { status: 200, jsonText: eventPageText(page, scope) }
      },
    }),
  })

  bind(router, '/v1/events/:id', {
    get: scoped('webhooks:read', {
      async handle({ tenant }, { req }) {
        const id = parseUuid(String(req.params['id']))
        const event = id === undefined ? undefined : await events.get(tenant.id, id)
        if (!event) throw new ApiError('EVENT_NOT_FOUND')
        return { status: 200, jsonText: eventText(event) }
      },
    }),
  })
}
