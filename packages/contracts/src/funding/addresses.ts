import {
  type Account,
  type AddressFormat,
  type AddressSource,
  sealAddress,
  sha256,
  type TopUpAddress,
} from '@quipu/core'
import { someInstant } from '../given.ts'
import type { World } from '../harness.ts'

/** Accounts and addresses as pure as real ones, and quicker to make. */
export const testAddresses: AddressSource & AddressFormat = {
  derive: (index) => {
    const account = accountOf(`top-up ${index}`)
    return { account, address: testAddresses.format(account) }
  },
  format: (account) => `T${account}`,
  parse: (address) => (/^T[0-9a-f]{40}$/.test(address) ? address.slice(1) : undefined),
}

/** 40 hex digits that only this name has. */
export const accountOf = (name: string): Account => sha256(name).slice(0, 40)

/** 64 hex digits that only this name has. */
export const hashOf = (name: string): string => sha256(name)

export const testSealKey: Uint8Array = new Uint8Array(32).fill(7)

/** Makes the tenant's address of an index, as the use case does. */
export const topUpMaker =
  (tenantId: string, createdAt: Date = someInstant) =>
  (index: number): Omit<TopUpAddress, 'retiredAt'> => {
    const place = { tenantId, chain: 'tron', index, ...testAddresses.derive(index) } as const
    return { ...place, seal: sealAddress(testSealKey, place), createdAt }
  }

export const newTopUp = ({ addresses }: World, tenantId: string): Promise<TopUpAddress> =>
  addresses.ensure(tenantId, 'tron', topUpMaker(tenantId))
