import type { IRouter, Request } from 'express'
import type { Clock, Ids, KeyRing, RandomBytes } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { type ConsoleSessionStore, signInMac } from '@quipu/core/operator'
import { aesSecretBox, type Logger } from '@quipu/runtime'
import type { Answer } from '../../http/answer.ts'
import { endpoint } from '../../http/endpoint.ts'
import { addressOf } from '../../http/limit/source-address.ts'
import { bind } from '../../http/routing.ts'
import { boxKeysOf, type OidcClient } from '../../settings/sign-in-settings.ts'
import { type Begun, callbackPath, type NamedPerson, type OidcProvider, SignInFailed } from './oidc.ts'
import type { CountFailures } from './operator-authentication.ts'
import { cookieHeader, cookieOf, keepSecret } from './session-cookie.ts'
import { browserOf, newSecret, sessionEnd } from './session-routes.ts'

export type OidcRoutes = {
  readonly consoleSessions: Pick<ConsoleSessionStore, 'signIn'>
  readonly oidc: OidcProvider
  readonly client: Pick<OidcClient, 'consoleUrl'>
  readonly keys: KeyRing
  readonly ids: Ids
  readonly now: Clock
  readonly random: RandomBytes
  readonly log: Logger
  readonly countFailure: CountFailures
}

/** How long a person has at the provider. */
const beginSeconds = 600
const cookieName = 'quipu_sign_in'

/** The browser keeps this, encrypted, from the request that begins to the one that ends a sign-in. */
type Kept = Begun & { readonly to: string; readonly until: number }

/** Signs in at the OpenID provider. Not in the OpenAPI document: browsers are led here. */
export function oidcRoutes(router: IRouter, ports: OidcRoutes): void {
  const { oidc, now, log } = ports
  const { consoleUrl } = ports.client
  const isHttps = consoleUrl.startsWith('https:')
  const box = aesSecretBox(boxKeysOf(ports.keys), ports.random)
  const keep = (req: Request, value: string, seconds: number): string =>
    cookieHeader(req, { name: cookieName, value, seconds, sameSite: 'Lax', isHttps })

  const failed = (req: Request, error: unknown): Answer => {
    if (!(error instanceof SignInFailed)) throw error
    log.warn({ err: error, problem: error.problem }, 'a sign-in at the OpenID provider failed; no session was opened')
    if (error.problem !== 'unreachable' && error.problem !== 'denied') ports.countFailure.login(req)
    return leadTo(`${consoleUrl}/console?sign_in=${error.problem}`, [keep(req, '', 0)])
  }

  bind(router, '/operator/v1/sign-in', {
    get: endpoint({
      query: (search) => ({ ok: true, value: ownPath(new URLSearchParams(search).get('to')) }),
      async handle({ req, query: to }) {
        try {
          const { url, ...begun } = await oidc.begin()
          const kept: Kept = { ...begun, to, until: now().getTime() + beginSeconds * 1_000 }
          return leadTo(url, [keep(req, box.encrypt(JSON.stringify(kept), cookieName), beginSeconds)])
        } catch (error) {
          return failed(req, error)
        }
      },
    }),
  })

  bind(router, callbackPath, {
    get: endpoint({
      query: (search) => ({ ok: true, value: search }),
      async handle({ req, query: search }) {
        try {
          const { to, ...begun } = keptBy(req)
          const { secret, seconds } = await open(ports, req, await oidc.finish(search, begun))
          return leadTo(consoleUrl + to, [keep(req, '', 0), keepSecret(req, secret, seconds, isHttps)])
        } catch (error) {
          return failed(req, error)
        }
      },
    }),
  })

  /** @throws SignInFailed when another browser has begun, or too long ago */
  function keptBy(req: Request): Kept {
    const text = box.decrypt(cookieOf(req, cookieName) ?? '', cookieName)
    const kept = text === undefined ? undefined : (JSON.parse(text) as Kept)
    if (!kept || kept.until <= now().getTime() || req.headers.host !== new URL(consoleUrl).host)
      throw new SignInFailed('refused')
    return kept
  }
}

/** A path of the console alone, so that no link leads from here to another site. */
function ownPath(to: string | null): string {
  const base = 'http://console'
  const url = to === null ? null : URL.parse(to, base)
  const isOwn = url !== null && url.origin === base && /^\/console(?:\/|$)/.test(url.pathname)
  return isOwn ? url.pathname + url.search : '/console'
}

const leadTo = (url: string, cookies: readonly string[]): Answer => ({
  status: 303,
  headers: { Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  cookies,
})

/** Opens a session, with the MAC over who has signed in that the database requires. */
async function open(
  { consoleSessions, keys, ids, random, now }: OidcRoutes,
  req: Request,
  { person, role }: NamedPerson,
): Promise<{ readonly secret: string; readonly seconds: number }> {
  const at = now()
  const secret = newSecret(random)
  const signIn = {
    hash: sha256(secret),
    tokenId: ids.next('opt', at),
    tokenHash: sha256(newSecret(random)),
    person,
    role,
    address: addressOf(req),
    browser: browserOf(req),
    at,
    expiresAt: sessionEnd(at),
  }
  const session = await consoleSessions.signIn({ ...signIn, mac: signInMac(keys, signIn) })
  if (!session)
    throw new Error('the database does not have the key of OPERATOR_SIGN_IN_KEY: quipu-admin keys set-sign-in')
  return { secret, seconds: Math.floor((session.expiresAt.getTime() - at.getTime()) / 1_000) }
}
