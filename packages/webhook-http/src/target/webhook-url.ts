import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** @source assumed */
const maxLength = 2_048

/** Names that no public server has: of the machine, of a local network, of a cloud's inside. */
const localNames = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)\.?$/

/**
 * Reads where a webhook is to be sent: https, port 443 or 8443, no user info, no fragment, no private
 * host. Nothing is looked up.
 *
 * @param allowPrivate  also http, any port and any host
 * @returns the URL, or what is wrong with it as the rest of a sentence that begins with the field's name
 * @source assumed
 */
export function readWebhookUrl(text: string, allowPrivate: boolean): URL | string {
  if (text.length > maxLength) return `must be at most ${maxLength} characters long`
  // Parsers differ about these, so whoever reads the URL next may see another host.
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return 'must not contain spaces, control characters or backslashes'
  // With a third slash the host would be whatever follows it.
  const begin = allowPrivate ? /^https?:\/\/(?!\/)/i : /^https:\/\/(?!\/)/i
  if (!begin.test(text))
    return allowPrivate ? 'must begin with http:// or https://' : 'must begin with https://'
  // The text is asked, since a URL does not tell of user info or a fragment that is empty.
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return 'must not contain a user name or a password'
  if (text.includes('#')) return 'must not contain a fragment'
  const url = URL.parse(text)
  if (!url) return 'must be a valid URL'
  return allowPrivate ? url : (publicProblem(url) ?? url)
}

/** The host as sockets and resolvers want it: an IPv6 address has no brackets. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname

function publicProblem(url: URL): string | undefined {
  if (url.port !== '' && url.port !== '8443') return 'must have port 443 or 8443'
  const host = hostOf(url)
  if (isIP(host) !== 0)
    return isPublicAddress(host) ? undefined : 'must not lead to a private or reserved address'
  const isPublicName = /^[^.]+(?:\.[^.]+)+\.?$/.test(host) && !localNames.test(host)
  return isPublicName ? undefined : 'must name a host on the public internet'
}
