import type { Request } from 'express'
import { invalid } from '../../http/api-error.ts'

/** The console calls nothing below another path with the cookie. */
const cookiePath = '/operator/v1'

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

/** The prefix makes browsers refuse the cookie without `Secure`. */
const nameOf = (req: Request): string => (isLoopback(req) ? 'quipu_session' : '__Secure-quipu_session')

const secretPattern = /^[\w-]{43}$/

/** The secret that the request presents, if it has the form of one. */
export function presentedSecret(req: Request): string | undefined {
  const name = `${nameOf(req)}=`
  const found = (req.headers.cookie ?? '')
    .split(/; */)
    .find((pair) => pair.startsWith(name))
    ?.slice(name.length)
  return found !== undefined && secretPattern.test(found) ? found : undefined
}

/** The header that gives the browser a secret. */
export const keepSecret = (req: Request, secret: string, seconds: number): string =>
  `${nameOf(req)}=${secret}; Max-Age=${seconds}; ${attributesOf(req)}`

/** The header that takes the secret from the browser. */
export const dropSecret = (req: Request): string => `${nameOf(req)}=; Max-Age=0; ${attributesOf(req)}`

const attributesOf = (req: Request): string =>
  `Path=${cookiePath}; HttpOnly; SameSite=Strict${isLoopback(req) && !isHttps(req) ? '' : '; Secure'}`
