import type { ApiKeyPage, ListApiKeysQuery } from '../openapi/openapi.ts'
import { type Pages, pages } from '../request/pages.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** The records of the account's API keys. */
export type ApiKeys = {
  /** Keys without the keys themselves, newest first, revoked and expired ones included. */
  list(query?: ListApiKeysQuery, options?: CallOptions): Pages<ApiKeyPage>
}

export const apiKeys = (send: Send): ApiKeys => ({
  list: (query = {}, options = {}) =>
    pages((cursor = query.cursor) => send('listApiKeys', { query: { ...query, cursor } }, options)),
})
