import { errors } from 'undici'
import { expect, test } from 'vitest'
import { attemptError } from './attempt-error.ts'

const coded = (code: string): Error => Object.assign(new Error(code), { code })

test.each([
  ['ECONNRESET', 'CONNECTION_RESET'],
  ['EPIPE', 'CONNECTION_RESET'],
  ['HPE_INVALID_EOF_STATE', 'CONNECTION_RESET'],
  ['HPE_INVALID_CONSTANT', 'PROTOCOL'],
  ['UND_ERR_TLS_OPTION', 'PROTOCOL'],
  ['ETIMEDOUT', 'TIMEOUT'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'TLS'],
  ['EPROTO', 'TLS'],
  ['', 'PROTOCOL'],
])('%s after the handshake is %s', (code, error) => {
  expect(attemptError(coded(code), true, true)).toBe(error)
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
])('%s before the end of a TLS handshake is %s', (code, error) => {
  expect(attemptError(coded(code), true, false)).toBe(error)
})

test('a connection without TLS that is cut before it is established is reset', () => {
  expect(attemptError(coded('ECONNRESET'), false, false)).toBe('CONNECTION_RESET')
})

test('several connection attempts have the error of the first', () => {
  const tries = [coded('ECONNREFUSED'), coded('ENETUNREACH')]
  const error = Object.assign(new AggregateError(tries), { code: 'ECONNREFUSED' })
  expect(attemptError(error, true, false)).toBe('CONNECTION_REFUSED')
})

test('a socket error of undici is a closed connection, or an unexpected response', () => {
  const closed = new errors.SocketError('other side closed')
  expect(attemptError(closed, false, true)).toBe('CONNECTION_RESET')
  expect(attemptError(new errors.SocketError('bad response'), false, true)).toBe('PROTOCOL')
  expect(attemptError(new errors.ConnectTimeoutError(), true, false)).toBe('TIMEOUT')
  expect(attemptError(new errors.HeadersOverflowError(), false, true)).toBe('PROTOCOL')
})
