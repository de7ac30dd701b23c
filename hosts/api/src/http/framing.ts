import type { Request, RequestHandler } from 'express'
import { isIPv6 } from 'node:net'
import { describeIssues, type Issue } from '@quipu/wire'
import { ApiError } from './api-error.ts'

/**
 * Refuses requests that a proxy and this server could read differently (request smuggling): a `Host`
 * that is missing, repeated or invalid, and a `Transfer-Encoding` other than `chunked`. Closes the
 * connection, since the start of the next request is ambiguous.
 *
 * @source RFC 9112 §3.2, §6.1, §6.3
 */
export const framing: RequestHandler = (req, _res, next) => {
  const issue = hostIssue(req) ?? encodingIssue(req)
  if (issue === undefined) return next()
  throw new ApiError('VALIDATION_FAILED', {
    message: describeIssues([issue]),
    issues: [issue],
    headers: { Connection: 'close' },
  })
}

function hostIssue(req: Request): Issue | undefined {
  const { host } = req.headers
  const issue = (message: string): Issue => ({ field: 'Host', message })
  if (host === undefined) {
    return req.httpVersion === '1.0' ? undefined : issue('must be sent, as HTTP/1.1 demands')
  }
  if (isRepeated(req, 'host')) return issue('must be sent once')
  return isHost(host) ? undefined : issue('must be a name or an address, with a port if need be')
}

/** Reads `rawHeaders`, since `headers` drops all but the first. */
function isRepeated({ rawHeaders }: Request, name: string): boolean {
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

function encodingIssue(req: Request): Issue | undefined {
  const encoding = req.headers['transfer-encoding']
  if (encoding === undefined) return undefined
  const field = 'Transfer-Encoding'
  if (req.httpVersion === '1.0') return { field, message: 'must not be sent with HTTP/1.0' }
  return encoding.toLowerCase() === 'chunked' ? undefined : { field, message: 'must be chunked' }
}
