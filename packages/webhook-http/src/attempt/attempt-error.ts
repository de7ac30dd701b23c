import type { AttemptError } from '@quipu/core/adapter'

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
 * The error that a tenant sees for a connection that failed.
 *
 * @param isTls        the URL is https
 * @param isConnected  it failed after the handshake
 */
export function attemptError(error: Error, isTls: boolean, isConnected: boolean): AttemptError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const mapped = byCode[code]
  if (mapped !== undefined) return mapped
  // A receiver that demands a client certificate fails after the handshake.
  if (/^ERR_(?:SSL|TLS)_/.test(code)) return 'TLS'
  // Before the end of the handshake all other errors are about certificates or a cut connection.
  if (isTls && !isConnected) return 'TLS'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'CONNECTION_RESET'
  // Undici throws this for a closed connection, and with `bad` for an unexpected response.
  if (code === 'UND_ERR_SOCKET' && !error.message.startsWith('bad ')) return 'CONNECTION_RESET'
  return 'PROTOCOL'
}
