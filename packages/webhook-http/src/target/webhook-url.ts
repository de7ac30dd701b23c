import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

const maxLength = 2_048

/** Names of the machine, of local networks, and of clouds' internal networks. */
const localNames = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)\.?$/

/**
 * Parses the URL of an endpoint: https, port 443 or 8443, no user info, no fragment, no private host. Resolves no name.
 *
 * @param allowPrivate  also allows http, any port and any host
 * @returns the URL, or its fault as the rest of a sentence that begins with the field's name
 */
export function parseWebhookUrl(text: string, allowPrivate: boolean): URL | string {
  if (text.length > maxLength) return `must be at most ${maxLength} characters long`
  // URL parsers differ about these, so another one may read another host.
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'must not contain spaces, control characters or backslashes'
  // With a third slash the host would be the next segment.
  const begin = allowPrivate ? /^https?:\/\/(?!\/)/i : /^https:\/\/(?!\/)/i
  if (!begin.test(text)) return allowPrivate ? 'must begin with http:// or https://' : 'must begin with https://'
  // Checked on the text, since a URL object does not show an empty user info or fragment.
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return 'must not contain a user name or a password'
  if (text.includes('#')) return 'must not contain a fragment'
  const url = URL.parse(text)
  if (!url) return 'must be a valid URL'
  return allowPrivate ? url : (publicFault(url) ?? url)
}

/** The host as sockets and resolvers take it: an IPv6 address without brackets. */
export const hostOf = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)

function publicFault(url: URL): string | undefined {
  if (url.port !== '' && url.port !== '8443') return 'must have port 443 or 8443'
  const host = hostOf(url)
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'must not lead to a private or reserved address'
  const isPublicName = /^[^.]+(?:\.[^.]+)+\.?$/.test(host) && !localNames.test(host)
  return isPublicName ? undefined : 'must name a host on the public internet'
}
