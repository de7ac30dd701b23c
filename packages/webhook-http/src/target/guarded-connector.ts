import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { ResolveName } from './resolve-name.ts'

/** The address is not allowed; nothing was sent. */
class AddressBlocked extends Error {
  readonly code = 'ADDRESS_BLOCKED'
}

/** The name does not resolve, or has no address. */
class NameNotFound extends Error {
  readonly code = 'NAME_NOT_FOUND'
}

export type ConnectorSettings = {
  readonly isAllowed: (address: string) => boolean
  readonly resolve: ResolveName
  /** Timeout of lookup, connection and handshake together. */
  readonly timeoutMs: number
  /** Certificates of authorities, in PEM, instead of those of Node.js. */
  readonly ca?: string
}

/**
 * Connects only to allowed addresses. A host that is an address is checked before the connection. A name
 * is resolved once for each connection: all its addresses are checked, and the socket connects to one of
 * them without another lookup. The certificate is checked against the name.
 */
export function guardedConnector(settings: ConnectorSettings): buildConnector.connector {
  const { isAllowed, timeoutMs, ca } = settings
  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    lookup: checkedLookup(settings),
    autoSelectFamily: true,
    // Node's default of 250 ms is too short for distant receivers.
    autoSelectFamilyAttemptTimeout: 1_000,
    ...(ca !== undefined && { ca }),
  })
  return (options, callback) => {
    const { hostname } = options
    if (isIP(hostname) === 0 || isAllowed(hostname)) return connect(options, callback)
    // Asynchronously, as other connections fail.
    queueMicrotask(() => callback(new AddressBlocked(`${hostname} is not a public address`), null))
  }
}

/** A lookup that fails if any address of the name is not allowed. */
export function checkedLookup({
  resolve,
  isAllowed,
}: Pick<ConnectorSettings, 'resolve' | 'isAllowed'>): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses
        const blocked = addresses.find((address) => !isAllowed(address))
        if (first === undefined) callback(new NameNotFound(`${name} has no address`), '')
        else if (blocked !== undefined)
          callback(new AddressBlocked(`${name} leads to ${blocked}, which is not public`), '')
        else if (all) callback(null, addresses.map(withFamily))
        else callback(null, first, withFamily(first).family)
      },
      (cause: unknown) => callback(new NameNotFound(`${name} does not resolve`, { cause }), ''),
    )
  }
}

const withFamily = (address: string): { address: string; family: number } => ({
  address,
  family: isIPv6(address) ? 6 : 4,
})
