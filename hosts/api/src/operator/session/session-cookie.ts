import type { Request } from 'express'
import { invalid } from '../../http/api-error.ts'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** Browsers send the cookie over plain HTTP to this machine only. */
const isLoopback = ({ headers }: Request): boolean => loopback.test(headers.host ?? '')

/** Whether the page that signs in came over https. */
const isHttps = ({ headers }: Request): boolean => headers.origin?.startsWith('https://') === true

/**
 * Refuses a sign-in behind a proxy that puts this machine's address in `Host`: the cookie of a page at another host
 * would lack the prefix that protects it.
 *
 * @throws ApiError 400
 */
export function requireOwnHost(req: Request): void {
  const { host = '', origin = '' } = req.headers
  if (!isHttps(req) || !isLoopback(req) || origin === `https://${host}`) return
  const message = `must be that of the page, ${origin.slice(0, 200)}: let the proxy pass it`
  throw invalid([{ field: 'Host', message }])
}

/**
 * The prefix makes browsers refuse the cookie without `Secure`, or of another host: no page of a sibling domain can put
 * its own session into this browser.
 */
const nameOf = (req: Request, name: string): string => (isLoopback(req) ? name : `__Host-${name}`)

const sessionName = 'quipu_session'
const secretPattern = /^[\w-]{43}$/

/** A cookie of the request. */
export function cookieOf(req: Request, cookie: string): string | undefined {
  const name = `${nameOf(req, cookie)}=`
  return (req.headers.cookie ?? '')
    .split(/; */)
    .find((pair) => pair.startsWith(name))
    ?.slice(name.length)
}

/** The secret that the request presents, if it has the form of one. */
export function presentedSecret(req: Request): string | undefined {
  const found = cookieOf(req, sessionName)
  return found !== undefined && secretPattern.test(found) ? found : undefined
}

type Cookie = {
  readonly name: string
  readonly value: string
  readonly seconds: number
  /** `Lax` is sent when another site's page leads here. */
  readonly sameSite: 'Strict' | 'Lax'
  /** Whether the browser came over https although `Host` is this machine. */
  readonly isHttps: boolean
}

/** The header that gives the browser a cookie, or takes it with 0 seconds. */
export const cookieHeader = (req: Request, { name, value, seconds, sameSite, isHttps: isSecure }: Cookie): string =>
  `${nameOf(req, name)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=${sameSite}${isLoopback(req) && !isSecure ? '' : '; Secure'}`

const session = (req: Request) => ({ name: sessionName, sameSite: 'Strict', isHttps: isHttps(req) }) as const

/** The header that gives the browser a secret. */
export const keepSecret = (req: Request, secret: string, seconds: number, isSecure = isHttps(req)): string =>
  cookieHeader(req, { ...session(req), value: secret, seconds, isHttps: isSecure })

/** The header that takes the secret from the browser. */
export const dropSecret = (req: Request): string => cookieHeader(req, { ...session(req), value: '', seconds: 0 })
