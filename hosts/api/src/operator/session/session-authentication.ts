import type { Request } from 'express'
import type { Clock } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { type ConsoleSessionStore, type Operator, sessionFingerprint } from '@quipu/core/operator'
import { requireOwnPage } from './same-origin.ts'
import { presentedSecret } from './session-cookie.ts'

export type SessionAuthenticationPorts = {
  readonly consoleSessions: Pick<ConsoleSessionStore, 'authenticate'>
  readonly now: Clock
}

/**
 * The person of the session that a request of the console presents; undefined without one.
 *
 * @throws ApiError 403 when another page made the browser send it
 */
export const sessionOperator =
  ({ consoleSessions, now }: SessionAuthenticationPorts) =>
  async (req: Request): Promise<Operator | undefined> => {
    const secret = presentedSecret(req)
    const hash = secret && sha256(secret)
    const session = hash && (await consoleSessions.authenticate(hash, now()))
    if (!secret || !hash || !session) return undefined
    requireOwnPage(req, secret)
    const { id: tokenId, person, role } = session.token
    const { tokenHash } = session
    return { person, role, tokenId, tokenHash, session: sessionFingerprint(hash) }
  }
