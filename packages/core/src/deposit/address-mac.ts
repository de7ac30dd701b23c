import { equalDigests, hmacSha256 } from '../digest.ts'
import type { AddressSource } from './chain.ts'
import type { TopUpAddress } from './ports.ts'

type Authenticated = Pick<TopUpAddress, 'tenantId' | 'chain' | 'index' | 'address'>

/**
 * The MAC that binds an address to its tenant and index: write access to the database alone does not
 * suffice to give a tenant another address.
 *
 * @param key at least 32 bytes, shared by the processes that create and that scan addresses
 * @source assumed
 */
export const addressMac = (
  key: Uint8Array,
  { tenantId, chain, index, address }: Authenticated,
): string => hmacSha256(key, JSON.stringify(['v1', tenantId, chain, index, address]))

/** Whether the row's MAC matches, compared in constant time. */
export const hasValidMac = (
  key: Uint8Array,
  topUp: Authenticated & Pick<TopUpAddress, 'mac'>,
): boolean => equalDigests(addressMac(key, topUp), topUp.mac)

/** Why the row cannot be the one that was created; null when it can. */
export function addressIntegrityError(
  key: Uint8Array,
  source: AddressSource,
  topUp: TopUpAddress,
): string | null {
  if (!hasValidMac(key, topUp)) return 'its MAC does not match'
  const { account, address } = source.derive(topUp.index)
  if (account === topUp.account && address === topUp.address) return null
  return `index ${topUp.index} derives another address`
}
