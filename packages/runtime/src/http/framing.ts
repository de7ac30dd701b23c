import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** A header that makes a request ambiguous, and the rule that it breaks. */
export type FramingIssue = { readonly field: string; readonly message: string }

/**
 * Why a proxy and this server could read a request differently (request smuggling): another version than HTTP/1, a `Host`
 * that is missing, repeated or invalid, or a `Transfer-Encoding` other than `chunked`. The connection must be closed, since
 * the start of the next request is ambiguous.
 *
 * @source RFC 9112 §3.2, §6.1, §6.3
 */
export const framingIssue = (req: IncomingMessage): FramingIssue | undefined =>
  versionIssue(req) ?? hostIssue(req) ?? encodingIssue(req)

/** Node's parser lets a request line of HTTP/0.9 or HTTP/2.0 pass. */
const versionIssue = ({ httpVersion }: IncomingMessage): FramingIssue | undefined =>
  httpVersion === '1.1' || httpVersion === '1.0' ? undefined : { field: 'request', message: 'must be HTTP/1.1' }

function hostIssue(req: IncomingMessage): FramingIssue | undefined {
  const { host } = req.headers
  const issue = (message: string): FramingIssue => ({ field: 'Host', message })
  if (host === undefined) {
    return req.httpVersion === '1.0' ? undefined : issue('must be sent, as HTTP/1.1 demands')
  }
  if (isRepeated(req, 'host')) return issue('must be sent once')
  return isHost(host) ? undefined : issue('must be a name or an address, with a port if need be')
}

/** Reads `rawHeaders`, since `headers` drops all but the first. */
function isRepeated({ rawHeaders }: IncomingMessage, name: string): boolean {
  let times = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const each = rawHeaders[at] ?? ''
    if (each.length === name.length && each.toLowerCase() === name) times += 1
  }
  return times > 1
}

const hostForm = /^(?:[A-Za-z0-9._-]+|\[([0-9A-Fa-f:.]+)\])(?::(\d{0,5}))?$/

function isHost(text: string): boolean {
  const parts = hostForm.exec(text)
  if (!parts) return false
  const [, address, port] = parts
  return (address === undefined || isIPv6(address)) && Number(port ?? 0) <= 65_535
}

function encodingIssue(req: IncomingMessage): FramingIssue | undefined {
  const encoding = req.headers['transfer-encoding']
  if (encoding === undefined) return undefined
  const field = 'Transfer-Encoding'
  if (req.httpVersion === '1.0') return { field, message: 'must not be sent with HTTP/1.0' }
  return encoding.toLowerCase() === 'chunked' ? undefined : { field, message: 'must be chunked' }
}
