import { equalDigests, hmacSha256 } from '../digest.ts'
import { keyOf, type KeyRing, type NamedKey } from '../key-ring/key-ring.ts'
import type { AddressSource } from './chain.ts'
import type { TopUpAddress } from './ports.ts'

type Authenticated = Pick<TopUpAddress, 'tenantId' | 'chain' | 'index' | 'address'>

/**
 * The MAC that binds an address to its tenant and index: write access to the database alone does not
 * suffice to give a tenant another address. It begins with the id of its key and a dot.
 *
 * @param keys of at least 32 bytes, shared by the processes that create and that scan addresses; the first makes the MAC
 * @source assumed
 */
export const addressMac = ([current]: KeyRing, address: Authenticated): string =>
  macBy(current, address)

const macBy = ({ id, key }: NamedKey, { tenantId, chain, index, address }: Authenticated): string =>
  `${id}.${hmacSha256(key, JSON.stringify(['v1', tenantId, chain, index, address]))}`

/** Whether the row's MAC matches, compared in constant time. */
export function hasValidMac(
  keys: KeyRing,
  topUp: Authenticated & Pick<TopUpAddress, 'mac'>,
): boolean {
  const key = keyOf(keys, topUp.mac)
  return key !== undefined && equalDigests(macBy(key, topUp), topUp.mac)
}

/** Why the row cannot be the one that was created; null when it can. */
export function addressIntegrityError(
  keys: KeyRing,
  source: AddressSource,
  topUp: TopUpAddress,
): string | null {
  if (!hasValidMac(keys, topUp)) return 'its MAC does not match'
  const { account, address } = source.derive(topUp.index)
  if (account === topUp.account && address === topUp.address) return null
  return `index ${topUp.index} derives another address`
}
