import type { IncomingHttpHeaders } from 'node:http'
import type { ApiKeyKind } from '@quipu/core'
import { apiKeyPrefix } from '@quipu/core/adapter'

/** Where keys of each kind work. */
const places: Readonly<Record<ApiKeyKind, string>> = {
  live: 'in production',
  test: 'in the sandbox',
  mock: 'on the example server',
}

/**
 * Why a request has no usable key, as far as its headers show it; undefined when only the stored record does. The
 * prefix of a key is public.
 *
 * @param accepted  the kind of keys that work here
 */
export function refusedKeyMessage(
  { 'x-api-key': key, authorization }: IncomingHttpHeaders,
  accepted: ApiKeyKind,
): string | undefined {
  if (typeof key !== 'string' || key === '')
    return authorization === undefined
      ? 'Send the API key in the header X-API-Key.'
      : 'Send the API key in the header X-API-Key; Authorization is not read here.'
  const kinds = Object.keys(places) as ApiKeyKind[]
  const sent = kinds.find((kind) => key.startsWith(apiKeyPrefix(kind)))
  if (sent === accepted) return undefined
  const here = `here keys begin with ${apiKeyPrefix(accepted)}`
  return sent === undefined
    ? `This is no API key of Quipu: ${here}.`
    : `A key that begins with ${apiKeyPrefix(sent)} works ${places[sent]} only; ${here}.`
}
