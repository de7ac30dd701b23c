import type { Request } from 'express'
import type { Clock } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { type ConsoleSessionStore, type Operator, sessionFingerprint } from '@quipu/core/operator'
import type { SignInPolicy } from '../../settings/sign-in-settings.ts'
import { isReading, requireOwnPage } from './same-origin.ts'
import { requireSecondFactor } from './second-factor-guard.ts'
import { presentedSecret } from './session-cookie.ts'

export type SessionAuthenticationPorts = {
  readonly consoleSessions: Pick<ConsoleSessionStore, 'authenticate' | 'touch'>
  readonly now: Clock
  readonly signIn: Pick<SignInPolicy, 'idleMs' | 'secondFactor'>
}

/** One write a minute says when a person was here. A page that refreshes by itself says nothing. */
const touchMs = 60_000

/**
 * The person of the session that a request of the console presents; undefined without one.
 *
 * @throws ApiError 403 when another page made the browser send it, or when it lacks a second factor
 */
export const sessionOperator =
  ({ consoleSessions, now, signIn }: SessionAuthenticationPorts) =>
  async (req: Request): Promise<Operator | undefined> => {
    const secret = presentedSecret(req)
    const hash = secret && sha256(secret)
    const at = now()
    const session = hash && (await consoleSessions.authenticate(hash, at, signIn.idleMs))
    if (!secret || !hash || !session) return undefined
    requireOwnPage(req, secret)
    requireSecondFactor(req, signIn, session.hasSecondFactor)
    const isUsed = req.headers['x-person-active'] === '1' || !isReading(req)
    if (isUsed && at.getTime() - session.seenAt.getTime() >= touchMs) await consoleSessions.touch(hash, at)
    const { id: tokenId, person, role } = session.token
    const { tokenHash } = session
    return { person, role, tokenId, tokenHash, session: sessionFingerprint(hash) }
  }
