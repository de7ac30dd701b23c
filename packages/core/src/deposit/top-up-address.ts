import type { RaiseAlert } from '../alert.ts'
import type { AuditEntry, AuditAuthor } from '../tenant/ports.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { AddressSource, Chain } from './chain.ts'
import type { TopUpAddress, TopUpAddressStore } from './ports.ts'
import { hasValidMac, addressMac } from './address-mac.ts'

export type EnsureTopUpAddressPorts = {
  readonly addresses: Pick<TopUpAddressStore, 'list' | 'ensure'>
  readonly source: AddressSource
  /** Seals the rows of top-up addresses. */
  readonly addressMacKey: Uint8Array
  readonly now: Clock
  readonly raiseAlert: RaiseAlert
}

/** @throws Unavailable when there is no address that may be shown: money would follow it */
export type EnsureTopUpAddress = (tenantId: string) => Promise<TopUpAddress>

/**
 * The tenant's address on the chain, created when it is first asked for.
 *
 * An address whose seal does not fit is not shown.
 *
 * @source spec §1: the service creates the address on the first wallet read
 */
export const ensureTopUpAddress =
  (ports: EnsureTopUpAddressPorts, chain: Chain): EnsureTopUpAddress =>
  async (tenantId) => {
    const { addresses, source, addressMacKey, now, raiseAlert } = ports
    const known = (await addresses.list(tenantId)).find((each) => each.chain === chain)
    const topUp =
      known ??
      (await addresses.ensure(tenantId, chain, (index) => {
        const place = { tenantId, chain, index, ...source.derive(index) }
        return { ...place, mac: addressMac(addressMacKey, place), createdAt: now() }
      }))
    if (hasValidMac(addressMacKey, topUp)) return topUp
    const detail = 'its seal does not fit'
    raiseAlert({ code: 'ADDRESS_MAC_MISMATCH', tenantId, subject: topUp.address, detail })
    throw new Unavailable('store', `the top-up address of ${tenantId} is not believed`)
  }

export type RotateTopUpAddressPorts = {
  readonly addresses: Pick<TopUpAddressStore, 'list' | 'retire'>
  readonly now: Clock
}

/** @returns the address that was retired; undefined when there was none */
export type RotateTopUpAddress = (
  actor: string,
  tenantId: string,
) => Promise<TopUpAddress | undefined>

/**
 * An operator retires a tenant's address; the tenant's next wallet read makes another.
 *
 * What still comes to the old one is in review.
 *
 * @source assumed
 */
export const rotateTopUpAddress =
  ({ addresses, now }: RotateTopUpAddressPorts, chain: Chain): RotateTopUpAddress =>
  async (actor, tenantId) => {
    const topUp = (await addresses.list(tenantId)).find((each) => each.chain === chain)
    if (!topUp) return undefined
    const at = now()
    const isRetired = await addresses.retire(tenantId, chain, { actor, at })
    return isRetired ? { ...topUp, retiredAt: at } : undefined
  }

/** The entry that a store writes when it retires an address. */
export const topUpAddressRetired = (
  { tenantId, chain, address }: Pick<TopUpAddress, 'tenantId' | 'chain' | 'address'>,
  { actor, at }: AuditAuthor,
): AuditEntry => ({
  actor,
  action: 'top_up_address.rotate',
  tenantId,
  subject: tenantId,
  at,
  before: { chain, address, retired_at: null },
  after: { chain, address, retired_at: at.toISOString() },
})
