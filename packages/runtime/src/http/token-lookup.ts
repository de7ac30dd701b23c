import { type Clock, Unavailable } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import type { Operator, OperatorTokenStore } from '@quipu/core/operator'

/** Finds whom a bearer token belongs to; undefined when it is not an active one. */
export type TokenLookup = (token: string, request: { readonly isMetrics: boolean }) => Promise<Operator | undefined>

const bearer = /^Bearer ([\x21-\x7e]{1,512})$/i

/** The token in the value of an `Authorization` header. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  bearer.exec(authorization ?? '')?.[1]

/**
 * Looks an operator's token up for every request, so that a revocation counts at once. During an outage of the database
 * the metrics are needed most, so that a request for them alone then accepts the tokens that were accepted last.
 *
 * @throws Unavailable when the store does not answer
 */
export function tokenLookup(operatorTokens: Pick<OperatorTokenStore, 'authenticate'>, now: Clock): TokenLookup {
  const accepted = new Map<string, Operator>()
  return async (presented, { isMetrics }) => {
    const tokenHash = sha256(presented)
    try {
      const token = await operatorTokens.authenticate(tokenHash, now())
      const operator = token && { person: token.person, role: token.role, tokenId: token.id, tokenHash }
      if (!operator) accepted.delete(tokenHash)
      else if (isMetrics) accepted.set(tokenHash, operator)
      return operator
    } catch (error) {
      const known = isMetrics && error instanceof Unavailable && accepted.get(tokenHash)
      if (known) return known
      throw error
    }
  }
}
