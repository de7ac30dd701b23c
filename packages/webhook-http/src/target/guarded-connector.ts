import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { ResolveName } from './resolve-name.ts'

/** The connection was refused by us, before anything was sent. */
class AddressBlocked extends Error {
  readonly code = 'ADDRESS_BLOCKED'
}

/** The name has no address that we know of. */
class NameNotFound extends Error {
  readonly code = 'NAME_NOT_FOUND'
}

export type ConnectorSettings = {
  readonly isAllowed: (address: string) => boolean
  readonly resolve: ResolveName
  /** For the lookup, the connection and the handshake together. */
  readonly timeoutMs: number
  /** Certificates of authorities, in PEM, in place of the well-known ones. */
  readonly ca?: string
}

/**
 * Connects only to allowed addresses. A host that is an address is checked as it is, since no lookup
 * happens for it. A name is looked up once for each connection, all its addresses are checked, and the
 * socket is given those very addresses; the certificate is still checked against the name.
 */
export function guardedConnector(settings: ConnectorSettings): buildConnector.connector {
  const { isAllowed, timeoutMs, ca } = settings
  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    lookup: checkedLookup(settings),
    autoSelectFamily: true,
    // A quarter of a second, which is Node's, gives up on receivers on the other side of the world.
    autoSelectFamilyAttemptTimeout: 1_000,
    ...(ca !== undefined && { ca }),
  })
  return (options, callback) => {
    const { hostname } = options
    if (isIP(hostname) === 0 || isAllowed(hostname)) return connect(options, callback)
    // Later, as any other connection fails.
    queueMicrotask(() => callback(new AddressBlocked(`${hostname} is not a public address`), null))
  }
}

/** A lookup that fails when any of the addresses is not allowed. */
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
