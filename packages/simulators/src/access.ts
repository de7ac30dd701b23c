import { isIP } from 'node:net'
import { type Access, Refusal } from './json-server.ts'

export const everyone: Access = () => undefined

export const bearerToken = (token: string): Access => {
  const authorization = `Bearer ${token}`
  return ({ headers }) => {
    if (headers.authorization !== authorization)
      throw new Refusal(401, 'UNAUTHORIZED', 'The bearer token is missing or wrong.')
  }
}

/**
 * For a port without a token: refuses requests that a web page can send.
 *
 * - Browsers send `Origin` or `Sec-Fetch-Site`.
 * - A page that resolves its own name to this machine (DNS rebinding) sends that name as `Host`.
 * - A form of an old browser cannot send the JSON content type.
 *
 * @param host  the bound address, which is also accepted as `Host`
 */
export const programsOnly =
  (host: string): Access =>
  ({ method, headers }) => {
    for (const name of ['origin', 'sec-fetch-site'])
      if (headers[name] !== undefined)
        throw new Refusal(403, 'BROWSER_REFUSED', `The admin port takes no request with ${name}.`)
    const name = hostNameOf(headers.host)
    if (name !== 'localhost' && name !== host && isIP(name) === 0)
      throw new Refusal(403, 'HOST_REFUSED', 'Host must be an IP address or localhost.')
    if (method === 'POST' && !isJson.test(headers['content-type'] ?? ''))
      throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json.')
  }

const isJson = /^application\/json\s*(?:;|$)/i

/** The host without port and without IPv6 brackets; empty if missing. */
function hostNameOf(host = ''): string {
  const url = `http://${host}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.+)\]$/, '$1') : ''
}
