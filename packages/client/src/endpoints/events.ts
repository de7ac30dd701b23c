import type { EventPage, ListEventsQuery, QuipuEvent } from '../openapi/openapi.ts'
import { type Pages, pages } from '../request/pages.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** Events: sent to webhook endpoints, and kept. */
export type Events = {
  /** Newest first. */
  list(query?: ListEventsQuery, options?: CallOptions): Pages<EventPage>
  get(id: string, options?: CallOptions): Promise<QuipuEvent>
}

export const events = (send: Send): Events => ({
  list: (query = {}, options = {}) =>
    pages((cursor = query.cursor) => send('listEvents', { query: { ...query, cursor } }, options)),
  get: (id, options) => send('getEvent', { params: { id } }, options),
})
