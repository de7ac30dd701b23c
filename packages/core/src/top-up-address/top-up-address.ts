import type { RaiseAlert } from '../alert.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import { authorized, type Operator } from '../access/operator.ts'
import type { AuditAuthor, AuditEntry } from '../audit/ports.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import { addressMac, hasValidMac } from './address-mac.ts'
import type { AddressSource, Chain } from '../chain/chain.ts'
import type { TopUpAddress, TopUpAddressStore } from './ports.ts'
import { checkSettings } from '../check-settings.ts'

/** The ports of `ensureTopUpAddress`. */
export type EnsureTopUpAddressPorts = {
  readonly addresses: Pick<TopUpAddressStore, 'list' | 'ensure'>
  readonly addressSource: AddressSource
  /** The keys of the addresses' MACs: at least 32 bytes each, the same in all processes. */
  readonly addressMacKeys: KeyRing
  readonly now: Clock
  readonly raiseAlert: RaiseAlert
}

/** Finds or creates a tenant's address. @throws Unavailable when none can be created, or the stored one fails its MAC */
export type EnsureTopUpAddress = (tenantId: string) => Promise<TopUpAddress>

/**
 * The tenant's top-up address on the chain; the first call creates it.
 *
 * An address whose MAC does not match is not returned: money would be sent to it.
 *
 * @source spec §1: the service creates the address on the first wallet read
 * @example
 * ```ts
 * const ensure = ensureTopUpAddress(ports, 'tron')
 * const topUp = await ensure(tenant.id)
 * console.log(topUp.chain, topUp.index, (await ensure(tenant.id)).address === topUp.address) // tron 0 true
 * ```
 */
export function ensureTopUpAddress(ports: EnsureTopUpAddressPorts, chain: Chain): EnsureTopUpAddress {
  checkSettings('ensureTopUpAddress', { chain }, { chain: ['tron'] })
  return async (tenantId) => {
    const { addresses, addressSource, addressMacKeys, now, raiseAlert } = ports
    const stored = (await addresses.list(tenantId)).find((each) => each.chain === chain)
    const topUp =
      stored ??
      (await addresses.ensure(tenantId, chain, (index) => {
        const row = { tenantId, chain, index, ...addressSource.derive(index) }
        return { ...row, mac: addressMac(addressMacKeys, row), createdAt: now() }
      }))
    if (hasValidMac(addressMacKeys, topUp)) return topUp
    const detail = 'its MAC does not match'
    raiseAlert({ code: 'ADDRESS_MAC_MISMATCH', tenantId, subject: topUp.address, detail })
    throw new Unavailable('store', `the MAC of the top-up address of ${tenantId} does not match`)
  }
}

/** Actions of an operator on a frozen address. */
export const frozenAdvice =
  'the token’s issuer has frozen it, so nothing at it can move: rotate the tenant’s top-up address'

/** The ports of `rotateTopUpAddress`. */
export type RotateTopUpAddressPorts = {
  readonly addresses: Pick<TopUpAddressStore, 'list' | 'retire'>
  readonly now: Clock
}

/** Retires a tenant's address. @returns the retired address; undefined when there was none */
export type RotateTopUpAddress = (operator: Operator, tenantId: string) => Promise<TopUpAddress | undefined>

/**
 * Retires a tenant's address for an operator; the tenant's next wallet read creates another one.
 *
 * A deposit at a retired address goes to review.
 *
 * @throws Unauthorized without the active token of an operator
 * @example
 * ```ts
 * const old = await ensureTopUpAddress(ports, 'tron')(tenant.id)
 * const retired = await rotateTopUpAddress(ports, 'tron')(ana, tenant.id)
 * console.log(retired?.address === old.address) // true
 * ```
 */
export function rotateTopUpAddress(ports: RotateTopUpAddressPorts, chain: Chain): RotateTopUpAddress {
  checkSettings('rotateTopUpAddress', { chain }, { chain: ['tron'] })
  const { addresses, now } = ports
  return async (operator, tenantId) => {
    const topUp = (await addresses.list(tenantId)).find((each) => each.chain === chain)
    if (!topUp) return undefined
    const at = now()
    const result = authorized(await addresses.retire(tenantId, chain, { ...operator, at }))
    return result === 'committed' ? { ...topUp, retiredAt: at } : undefined
  }
}

/** The audit entry of a retired address. */
export const topUpAddressRetired = (
  { tenantId, chain, address }: Pick<TopUpAddress, 'tenantId' | 'chain' | 'address'>,
  author: AuditAuthor,
): AuditEntry => ({
  ...author,
  action: 'top_up_address.rotate',
  tenantId,
  subject: tenantId,
  before: { chain, address, retired_at: null },
  after: { chain, address, retired_at: author.at.toISOString() },
})
