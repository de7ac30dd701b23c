import { errors } from 'undici'
import { expect, test } from 'vitest'
import { attemptError } from './attempt-error.ts'

const coded = (code: string): Error => Object.assign(new Error(code), { code })

test.each([
  ['ECONNRESET', 'CONNECTION_RESET'],
  ['EPIPE', 'CONNECTION_RESET'],
  ['HPE_INVALID_EOF_STATE', 'CONNECTION_RESET'],
  ['HPE_INVALID_CONSTANT', 'PROTOCOL'],
  ['ETIMEDOUT', 'TIMEOUT'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'TLS'],
  ['EPROTO', 'TLS'],
  ['', 'PROTOCOL'],
])('%s on a connection is told as %s', (code, told) => {
  expect(attemptError(coded(code), true, true)).toBe(told)
})

test.each([
  ['ECONNREFUSED', 'CONNECTION_REFUSED'],
  ['EHOSTUNREACH', 'CONNECTION_REFUSED'],
  ['ENETUNREACH', 'CONNECTION_REFUSED'],
  ['EADDRNOTAVAIL', 'CONNECTION_REFUSED'],
  ['ETIMEDOUT', 'TIMEOUT'],
  ['CERT_HAS_EXPIRED', 'TLS'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS'],
  ['ECONNRESET', 'TLS'],
])('%s before a connection in TLS is told as %s', (code, told) => {
  expect(attemptError(coded(code), true, false)).toBe(told)
})

test('a connection of several tries is told of as the first of them', () => {
  const tries = [coded('ECONNREFUSED'), coded('ENETUNREACH')]
  const error = Object.assign(new AggregateError(tries), { code: 'ECONNREFUSED' })
  expect(attemptError(error, true, false)).toBe('CONNECTION_REFUSED')
})

test('what undici says of a socket is a close, or an answer out of turn', () => {
  const closed = new errors.SocketError('other side closed')
  expect(attemptError(closed, false, true)).toBe('CONNECTION_RESET')
  expect(attemptError(new errors.SocketError('bad response'), false, true)).toBe('PROTOCOL')
  expect(attemptError(new errors.ConnectTimeoutError(), true, false)).toBe('TIMEOUT')
  expect(attemptError(new errors.HeadersOverflowError(), false, true)).toBe('PROTOCOL')
})
