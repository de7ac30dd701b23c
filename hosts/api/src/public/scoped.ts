import type { RequestHandler } from 'express'
import type { Caller, ApiKeyScope } from '@quipu/core'
import type { Answer } from '../http/answer.ts'
import { ApiError } from '../http/api-error.ts'
import { type Endpoint, endpoint, type Input } from '../http/endpoint.ts'
import { addressOf } from '../http/limit/source-address.ts'
import { isAddressAllowed } from './allowed-addresses.ts'
import { callerOf, renewCaller } from './authentication.ts'

type Scoped<Body, Query> = Omit<Endpoint<Body, Query>, 'afterBody' | 'handle'> & {
  /** The use case passes the key's id to its commit, which refuses a key that may no longer act. */
  readonly commitChecksKey?: true
  handle(caller: Caller, input: Input<Body, Query>): Promise<Answer> | Answer
}

/**
 * An endpoint for callers whose key has the scope, if it needs one, and may be used from the client's address. Both are checked before
 * the body is read, and the key is authenticated again when the body has arrived: from the store where something changes.
 *
 * @source spec §5 `403 SCOPE_REQUIRED`
 */
export function scoped<Body = undefined, Query = undefined>(
  scope: ApiKeyScope | 'any',
  { handle, commitChecksKey, ...reads }: Scoped<Body, Query>,
): RequestHandler {
  const isCached = commitChecksKey || scope === 'any' || scope.endsWith(':read')
  const answer = endpoint<Body, Query>({
    ...reads,
    afterBody: renewCaller(isCached ? 'cached' : 'stored'),
    handle: (input) => handle(callerOf(input.res), input),
  })
  return (req, res, next) => {
    const { scopes, allowedAddresses } = callerOf(res).key
    if (allowedAddresses !== null && !isAddressAllowed(allowedAddresses, addressOf(req)))
      throw new ApiError('ADDRESS_NOT_ALLOWED', { message: `The API key may not be used from ${addressOf(req)}.` })
    if (scope !== 'any' && !scopes.includes(scope)) {
      throw new ApiError('SCOPE_REQUIRED', { message: `The API key lacks the scope ${scope}.` })
    }
    return answer(req, res, next)
  }
}
