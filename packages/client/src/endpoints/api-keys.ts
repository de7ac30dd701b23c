import type { ApiKey, ApiKeyPage, ListApiKeysQuery } from '../openapi/openapi.ts'
import { type Pages, pages } from '../request/pages.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** The records of the account's API keys. */
export type ApiKeys = {
  /** The record of the client's own key, which any key may read. */
  current(options?: CallOptions): Promise<ApiKey>
  /** Keys without the keys themselves, newest first, revoked and expired ones included. */
  list(query?: ListApiKeysQuery, options?: CallOptions): Pages<ApiKeyPage>
}

export const apiKeys = (send: Send): ApiKeys => ({
  current: (options = {}) => send('getOwnApiKey', {}, options),
  list: (query = {}, options = {}) =>
    pages((cursor = query.cursor) => send('listApiKeys', { query: { ...query, cursor } }, options)),
})
