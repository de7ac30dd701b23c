import type { IRouter, Request } from 'express'
import type { Clock, RandomBytes } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { type ConsoleSession, consoleSessionLife, type ConsoleSessionStore } from '@quipu/core/operator'
import { consoleSessionToJson, parseSignIn, type SignInRequest } from '@quipu/wire'
import { type Answer } from '../../http/answer.ts'
import { ApiError } from '../../http/api-error.ts'
import { contextOf } from '../../http/context.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { SignInPolicy } from '../../settings/sign-in-settings.ts'
import type { CountFailures } from './operator-authentication.ts'
import { addressOf } from '../../http/limit/source-address.ts'
import { bind } from '../../http/routing.ts'
import type { OidcProvider } from './oidc.ts'
import { csrfTokenOf, requireOwnPage, requireSameOrigin } from './same-origin.ts'
import type { SecondFactors } from './second-factors.ts'
import { dropSecret, keepSecret, presentedSecret, requireOwnHost } from './session-cookie.ts'

export type SessionRoutes = {
  readonly consoleSessions: ConsoleSessionStore
  readonly now: Clock
  readonly random: RandomBytes
  readonly environment: string
  readonly countFailure: CountFailures
  readonly signIn: SignInPolicy
  readonly factors: SecondFactors
  /** Left out: people sign in with tokens alone. */
  readonly oidc: OidcProvider | undefined
}

/** Signs the console in and out. Not in the OpenAPI document: programs present the operator token. */
export function sessionRoutes(router: IRouter, ports: SessionRoutes): void {
  const { consoleSessions, now, signIn, oidc } = ports

  /** An unknown cookie counts as an attempt to guess one. */
  async function presentedSession(
    req: Request,
  ): Promise<{ readonly secret: string; readonly session: ConsoleSession } | undefined> {
    const secret = presentedSecret(req)
    if (secret === undefined) return undefined
    const session = await consoleSessions.authenticate(sha256(secret), now(), signIn.idleMs)
    if (session) return { secret, session }
    ports.countFailure.session(req)
    return undefined
  }

  bind(router, '/operator/v1/sign-in/options', {
    get: endpoint({ handle: () => ({ status: 200, json: { token: signIn.allowsToken, oidc: oidc !== undefined } }) }),
  })

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
      async handle({ req, res, body }) {
        requireSameOrigin(req)
        requireOwnHost(req)
        if (!signIn.allowsToken) throw new ApiError('AUTHENTICATION_FAILED', { message: tokenForbidden })
        const secret = newSecret(ports.random)
        const by = { tokenHash: sha256(body.token), address: addressOf(req) }
        const session = await open(ports, req, by, body, secret)
        const { person, role } = session.token
        contextOf(res).operator = { person, role, ...by }
        return { ...answer(ports, 201, session, secret), headers: kept(req, session, secret, now()) }
      },
    }),
    delete: endpoint({
      async handle({ req }) {
        const presented = await presentedSession(req)
        const headers = { 'Set-Cookie': dropSecret(req) }
        if (!presented) {
          requireSameOrigin(req)
          return { status: 204, headers }
        }
        requireOwnPage(req, presented.secret)
        await consoleSessions.end(sha256(presented.secret), { address: addressOf(req) }, now())
        // The session has ended, whether the provider answers or not.
        const url = presented.session.origin === 'oidc' ? await oidc?.endUrl().catch(() => undefined) : undefined
        return url === undefined ? { status: 204, headers } : { status: 200, headers, json: { provider_url: url } }
      },
    }),
  })
}

const noSession = (): ApiError => new ApiError('AUTHENTICATION_FAILED', { message: 'No session is open: sign in.' })

const unknownToken = 'The operator token is unknown, revoked or expired.'
const tokenForbidden = 'Sign in at the OpenID provider: operator tokens are for programs here.'

/** 256 bits. */
export const newSecret = (random: RandomBytes): string => Buffer.from(random(32)).toString('base64url')

/** As the browser names itself, for the list of sessions. */
export const browserOf = ({ headers }: Request): string | null => headers['user-agent']?.slice(0, 200) ?? null

/** The end of a session that begins now. */
export const sessionEnd = (at: Date): Date => new Date(at.getTime() + consoleSessionLife.maxMinutes * 60_000)

/** @throws ApiError when the token or the code is wrong, or a code is missing */
async function open(
  { consoleSessions, factors, countFailure, now }: SessionRoutes,
  req: Request,
  by: { readonly tokenHash: string; readonly address: string },
  { code }: SignInRequest,
  secret: string,
): Promise<ConsoleSession> {
  const at = now()
  const session = { hash: sha256(secret), by, browser: browserOf(req), at, expiresAt: sessionEnd(at) }
  const opened = await consoleSessions.open(session)
  if (opened === 'unauthorized') {
    countFailure.login(req)
    throw new ApiError('AUTHENTICATION_FAILED', { message: unknownToken })
  }
  if (opened !== 'needs_second_factor') return opened
  if (code === undefined) throw new ApiError('SECOND_FACTOR_REQUIRED')
  const used = await factors.use(by, code, session.hash)
  const again = used && (await consoleSessions.open({ ...session, code: used }))
  if (typeof again === 'object') return again
  countFailure.login(req)
  throw new ApiError('SECOND_FACTOR_WRONG')
}

const answer = ({ environment }: SessionRoutes, status: number, session: ConsoleSession, secret: string): Answer => ({
  status,
  json: consoleSessionToJson(session, { environment, csrfToken: csrfTokenOf(secret) }),
})

const kept = (req: Request, { expiresAt }: ConsoleSession, secret: string, at: Date) => ({
  'Set-Cookie': keepSecret(req, secret, Math.floor((expiresAt.getTime() - at.getTime()) / 1000)),
})
