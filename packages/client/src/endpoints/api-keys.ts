import type { ApiKey, ApiKeyPage, ListApiKeysQuery, RotatedApiKey, RotateOwnApiKeyRequest } from '../openapi/openapi.ts'
import { type Pages, pages } from '../request/pages.ts'
import type { CallOptions, Send } from '../request/send.ts'

/** The records of the account's API keys. */
export type ApiKeys = {
  /** The record of the client's own key, which any key may read. */
  current(options?: CallOptions): Promise<ApiKey>
  /** Keys without the keys themselves, newest first, revoked and expired ones included. */
  list(query?: ListApiKeysQuery, options?: CallOptions): Pages<ApiKeyPage>
  /**
   * Replaces the client's own key, or one whose scopes it all has. Only this answer shows the new `key`; the old one
   * works for `overlap_seconds` more. Not retried once it may have taken effect: on `error.uncertain`, rotate again.
   */
  rotate(id: string, request?: RotateOwnApiKeyRequest, options?: CallOptions): Promise<RotatedApiKey>
  /** Revokes a key of the account. */
  revoke(id: string, options?: CallOptions): Promise<void>
}

export const apiKeys = (send: Send): ApiKeys => ({
  current: (options = {}) => send('getOwnApiKey', {}, options),
  list: (query = {}, options = {}) =>
    pages((cursor = query.cursor) => send('listApiKeys', { query: { ...query, cursor } }, options)),
  rotate: (id, body, options) => send('rotateOwnApiKey', { params: { id }, body }, options),
  revoke: (id, options) => send('revokeOwnApiKey', { params: { id } }, options),
})
