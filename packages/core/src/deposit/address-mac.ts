import { equalDigests, hmacSha256 } from '../digest.ts'
import type { AddressSource } from './chain.ts'
import type { TopUpAddress } from './ports.ts'

type Sealed = Pick<TopUpAddress, 'tenantId' | 'chain' | 'index' | 'address'>

/**
 * Binds an address to its tenant and its place, so that nobody who can only write to the database
 * can make another's address a tenant's.
 *
 * @param key at least 32 bytes, known to those who create and who watch addresses
 * @source assumed
 */
export const addressMac = (key: Uint8Array, { tenantId, chain, index, address }: Sealed): string =>
  hmacSha256(key, JSON.stringify(['v1', tenantId, chain, index, address]))

export const hasValidMac = (key: Uint8Array, topUp: Sealed & Pick<TopUpAddress, 'mac'>): boolean =>
  equalDigests(addressMac(key, topUp), topUp.mac)

/** Why a row cannot be what was stored: null when it can. */
export function addressIntegrityError(
  key: Uint8Array,
  source: AddressSource,
  topUp: TopUpAddress,
): string | null {
  if (!hasValidMac(key, topUp)) return 'its seal does not fit'
  const { account, address } = source.derive(topUp.index)
  if (account === topUp.account && address === topUp.address) return null
  return `index ${topUp.index} derives another address`
}
