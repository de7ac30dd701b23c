import type { IncomingHttpHeaders } from 'node:http'

const redacted = '[redacted]'

/** What our keys and secrets begin with, also percent-encoded. */
const marked = /(?:qpu|whsec)(?:_|%5f)/i
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** No id in a path is longer, but for UUIDs; every key, token and secret is. */
const idLength = 31
/** A shorter text that is presented as a key is none of ours. */
const credentialLength = 16

/** A path as the log shows it: without segments that have, or may be, a key, a token or a secret. */
export function redactPath(path: string, headers: IncomingHttpHeaders): string {
  if (path.length < credentialLength && !marked.test(path)) return path // Such as `/v1/payouts`.
  const hasSecret = secretIn(headers)
  return path
    .split('/')
    .map((segment) => {
      const isLong = segment.length > idLength && !uuid.test(segment)
      return isLong || hasSecret(segment) ? redacted : segment
    })
    .join('/')
}

/** A caller's request id as the log shows it: not at all when it has a key or a secret. */
export const redactId = (id: string, headers: IncomingHttpHeaders): string =>
  secretIn(headers)(id) ? redacted : id

/** Tells a text with one of our keys, or with what the request presents as its key or token. */
function secretIn(headers: IncomingHttpHeaders): (text: string) => boolean {
  const { 'x-api-key': key, authorization = '' } = headers
  const presented = [key, authorization.replace(/^Bearer /i, '')].filter(
    (each) => typeof each === 'string' && each.length >= credentialLength,
  ) as string[]
  return (text) => marked.test(text) || presented.some((secret) => text.includes(secret))
}
