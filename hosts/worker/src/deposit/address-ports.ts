import type { AddressSource, KeyRing } from '@quipu/core'
import { tronAddresses, tronAddressFormat as format } from '@quipu/tron'
import type { TronWorkerSettings } from '../settings/settings.ts'

/** Ports that derive and check top-up addresses. */
export const addressPorts = ({
  TRON_XPUB,
  ADDRESS_MAC_KEY: addressMacKeys,
}: TronWorkerSettings): {
  readonly addressSource: AddressSource
  readonly format: typeof format
  readonly addressMacKeys: KeyRing
} => ({ addressSource: tronAddresses(TRON_XPUB), format, addressMacKeys })
