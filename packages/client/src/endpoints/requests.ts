import type { ListRequestsQuery, RequestPage } from '../openapi/openapi.ts'
import { type Pages, pages } from '../request/pages.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** The account's own requests. */
export type Requests = {
  /** Newest first, a second or two after their answers, without bodies. */
  list(query?: ListRequestsQuery, options?: CallOptions): Pages<RequestPage>
}

export const requests = (send: Send): Requests => ({
  list: (query = {}, options = {}) =>
    pages((cursor = query.cursor) => send('listRequests', { query: { ...query, cursor } }, options)),
})
