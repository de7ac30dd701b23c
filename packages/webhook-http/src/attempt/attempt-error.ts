import type { AttemptError } from '@quipu/core'

const byCode: Readonly<Record<string, AttemptError>> = {
  ADDRESS_BLOCKED: 'ADDRESS_BLOCKED',
  NAME_NOT_FOUND: 'NAME_NOT_FOUND',
  ETIMEDOUT: 'TIMEOUT',
  UND_ERR_CONNECT_TIMEOUT: 'TIMEOUT',
  EACCES: 'CONNECTION_REFUSED',
  EADDRNOTAVAIL: 'CONNECTION_REFUSED',
  ECONNREFUSED: 'CONNECTION_REFUSED',
  EHOSTDOWN: 'CONNECTION_REFUSED',
  EHOSTUNREACH: 'CONNECTION_REFUSED',
  EMFILE: 'CONNECTION_REFUSED',
  ENETDOWN: 'CONNECTION_REFUSED',
  ENETUNREACH: 'CONNECTION_REFUSED',
  EPERM: 'CONNECTION_REFUSED',
  EPROTO: 'TLS',
  HPE_INVALID_EOF_STATE: 'CONNECTION_RESET',
  UND_ERR_HEADERS_OVERFLOW: 'PROTOCOL',
}

/**
 * What a tenant is told of a connection that failed.
 *
 * @param isTls        the receiver is spoken to in TLS
 * @param isConnected  the connection, with its handshake, was there when it failed
 */
export function attemptError(error: Error, isTls: boolean, isConnected: boolean): AttemptError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = byCode[code]
  if (known !== undefined) return known
  // A receiver that misses a certificate of ours says so after the handshake.
  if (/^ERR_(?:SSL|TLS)_/.test(code)) return 'TLS'
  // What is left are certificates' faults, of which there are many, and handshakes that were cut off.
  if (isTls && !isConnected) return 'TLS'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'CONNECTION_RESET'
  // Undici says this of a closed connection, and of an answer that no request asked for.
  if (code === 'UND_ERR_SOCKET' && !error.message.startsWith('bad ')) return 'CONNECTION_RESET'
  return 'PROTOCOL'
}
