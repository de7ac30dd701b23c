import type { IRouter, Request } from 'express'
import type { Clock, RandomBytes } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import {
  type ConsoleSession,
  consoleSessionHoursMax,
  type ConsoleSessionStore,
  type Credential,
} from '@quipu/core/operator'
import { consoleSessionToJson, parseSignIn } from '@quipu/wire'
import { type Answer } from '../../http/answer.ts'
import { ApiError } from '../../http/api-error.ts'
import { contextOf } from '../../http/context.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { CountFailures } from './operator-authentication.ts'
import { addressOf } from '../../http/limit/source-address.ts'
import { bind } from '../../http/routing.ts'
import { csrfTokenOf, requireOwnPage, requireSameOrigin } from './same-origin.ts'
import { dropSecret, keepSecret, presentedSecret, requireOwnHost } from './session-cookie.ts'

export type SessionRoutes = {
  readonly consoleSessions: ConsoleSessionStore
  readonly now: Clock
  readonly random: RandomBytes
  readonly environment: string
  readonly countFailure: CountFailures
}

/** Signs the console in and out. Not in the OpenAPI document: programs present the operator token. */
export function sessionRoutes(router: IRouter, ports: SessionRoutes): void {
  const { consoleSessions, now } = ports

  /** An unknown cookie counts as an attempt to guess one. */
  async function presentedSession(
    req: Request,
  ): Promise<{ readonly secret: string; readonly session: ConsoleSession } | undefined> {
    const secret = presentedSecret(req)
    if (secret === undefined) return undefined
    const session = await consoleSessions.authenticate(sha256(secret), now())
    if (session) return { secret, session }
    ports.countFailure.session(req)
    return undefined
  }

  bind(router, '/operator/v1/session', {
    get: endpoint({
      async handle({ req }) {
        const presented = await presentedSession(req)
        if (!presented) throw noSession()
        requireOwnPage(req, presented.secret)
        return answer(ports, 200, presented.session, presented.secret)
      },
    }),
    post: endpoint({
      body: parseSignIn,
      async handle({ req, res, body: token }) {
        requireSameOrigin(req)
        requireOwnHost(req)
        const secret = newSecret(ports.random)
        const by = { tokenHash: sha256(token), address: addressOf(req) }
        const session = await open(ports, by, secret)
        if (!session) {
          ports.countFailure.login(req)
          throw new ApiError('AUTHENTICATION_FAILED', { message: unknownToken })
        }
        const { person, role } = session.token
        contextOf(res).operator = { person, role, ...by }
        return { ...answer(ports, 201, session, secret), headers: kept(req, session, secret, now()) }
      },
    }),
    delete: endpoint({
      async handle({ req }) {
        const presented = await presentedSession(req)
        if (presented) {
          requireOwnPage(req, presented.secret)
          await consoleSessions.end(sha256(presented.secret), { address: addressOf(req) }, now())
        } else requireSameOrigin(req)
        return { status: 204, headers: { 'Set-Cookie': dropSecret(req) } }
      },
    }),
  })
}

const noSession = (): ApiError => new ApiError('AUTHENTICATION_FAILED', { message: 'No session is open: sign in.' })

const unknownToken = 'The operator token is unknown, revoked or expired.'

/** 256 bits. */
const newSecret = (random: RandomBytes): string => Buffer.from(random(32)).toString('base64url')

function open(
  { consoleSessions, now }: SessionRoutes,
  by: Pick<Credential, 'tokenHash' | 'address'>,
  secret: string,
): Promise<ConsoleSession | undefined> {
  const at = now()
  const expiresAt = new Date(at.getTime() + consoleSessionHoursMax * 3_600_000)
  return consoleSessions.open({ hash: sha256(secret), by, at, expiresAt })
}

const answer = ({ environment }: SessionRoutes, status: number, session: ConsoleSession, secret: string): Answer => ({
  status,
  json: consoleSessionToJson(session, { environment, csrfToken: csrfTokenOf(secret) }),
})

const kept = (req: Request, { expiresAt }: ConsoleSession, secret: string, at: Date) => ({
  'Set-Cookie': keepSecret(req, secret, Math.floor((expiresAt.getTime() - at.getTime()) / 1000)),
})
