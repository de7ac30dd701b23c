import type { IncomingHttpHeaders } from 'node:http'

const redacted = '[redacted]'

/** Prefixes of Quipu's keys and secrets, also percent-encoded. */
const keyPrefix = /(?:qpu|whsec)(?:_|%5f)/i
/** A key without its prefix, or an operator's token: no id of a request or a trace is that long in hexadecimal. */
const longHex = /[0-9a-f]{40}/i
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Longest id in a path, UUIDs apart; every key, token and secret is longer. */
const idLengthMax = 31
/** Every key of Quipu has this length or more. */
const keyLengthMin = 16

/** The path for the log: segments that contain or may be a key, token or secret are redacted. */
export function redactPath(path: string, headers: IncomingHttpHeaders): string {
  if (path.length < keyLengthMin && !keyPrefix.test(path)) return path // Such as `/v1/payouts`.
  const hasSecret = secretIn(headers)
  return path
    .split('/')
    .map((segment) => {
      const isLong = segment.length > idLengthMax && !uuid.test(segment)
      return isLong || hasSecret(segment) ? redacted : segment
    })
    .join('/')
}

/** The caller's request id for the log: redacted when it contains a key, a token, a session's cookie or a secret. */
export const redactId = (id: string, headers: IncomingHttpHeaders): string =>
  longHex.test(id) || secretIn(headers)(id) ? redacted : id

/** Whether a text contains a key of Quipu, or the key, token or cookie that the request presents. */
function secretIn(headers: IncomingHttpHeaders): (text: string) => boolean {
  const { 'x-api-key': key, authorization = '', cookie = '' } = headers
  const cookies = cookie.split(/; */).map((pair) => pair.slice(pair.indexOf('=') + 1))
  const presented = [key, authorization.replace(/^Bearer /i, ''), ...cookies].filter(
    (each) => typeof each === 'string' && each.length >= keyLengthMin,
  ) as string[]
  return (text) => keyPrefix.test(text) || presented.some((secret) => text.includes(secret))
}
