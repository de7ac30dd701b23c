import { keyIdOf } from '../key-ring/key-ring.ts'
import type { TopUpAddress, TopUpAddressStore } from './ports.ts'

/** The keys of these addresses, and samples of them. */
export const addressStoreOf = (topUps: readonly TopUpAddress[]): Pick<TopUpAddressStore, 'keyUse' | 'sample'> => ({
  keyUse: async () =>
    Array.from(new Set(topUps.map(({ mac }) => keyIdOf(mac))), (keyId) => ({
      keyId,
      count: topUps.filter(({ mac }) => keyIdOf(mac) === keyId).length,
    })),
  sample: async (id, limit) => topUps.filter(({ mac }) => keyIdOf(mac) === id).slice(0, limit),
})
