import type { TopUpAddress } from '@quipu/core'
import { keyIdOf, topUpAddressRetired, type TopUpAddressStore } from '@quipu/core/adapter'
import { addressKey, type Database, tenantDataOf } from '../table/database.ts'
import { countKeys } from '../count-keys.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'

export const memoryAddressStore = (database: Database): TopUpAddressStore => ({
  list: async (tenantId) => inUse(database, tenantId),
  listAll: async (tenantId, limit) =>
    [...(database.tenants.get(tenantId)?.addresses.values() ?? [])]
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.index - a.index)
      .slice(0, limit),
  ensure: async (tenantId, chain, make) => {
    const tenantData = tenantDataOf(database, tenantId)
    const known = inUse(database, tenantId).find((row) => row.chain === chain)
    if (known !== undefined) return known
    const made = { ...make(database.nextAddressIndex++), retiredAt: null }
    tenantData.addresses.set(addressKey(made), made)
    database.addressOwners.set(addressKey(made), tenantId)
    return made
  },
  match: async (chain, accounts) =>
    Array.from(new Set(accounts)).flatMap((account) => {
      const key = addressKey({ chain, account })
      return database.tenants.get(database.addressOwners.get(key) ?? '')?.addresses.get(key) ?? []
    }),
  listByOtherKeys: async (keyId, after, limit) =>
    everyAddress(database)
      .filter(({ account, mac }) => account > after && keyIdOf(mac) !== keyId)
      .toSorted((a, b) => (a.account < b.account ? -1 : 1))
      .slice(0, limit),
  renewMac: async (topUp, mac) => {
    const { addresses } = tenantDataOf(database, topUp.tenantId)
    const stored = addresses.get(addressKey(topUp))
    if (stored?.mac !== topUp.mac) return false
    addresses.set(addressKey(topUp), { ...stored, mac })
    return true
  },
  keyUse: async () => countKeys(everyAddress(database).map(({ mac }) => mac)),
  sample: async (keyId, limit) =>
    everyAddress(database)
      .filter(({ mac }) => keyIdOf(mac) === keyId)
      .toSorted((a, b) => b.index - a.index)
      .slice(0, limit),
  retire: async (tenantId, chain, by) => {
    const acting = actingToken(database, by, by.at, writers)
    if (!acting) return 'unauthorized'
    const row = inUse(database, tenantId).find((each) => each.chain === chain)
    if (row === undefined) return 'stale'
    tenantDataOf(database, tenantId).addresses.set(addressKey(row), { ...row, retiredAt: by.at })
    writeAudit(database, topUpAddressRetired(row, acting.author))
    return 'committed'
  },
})

const inUse = ({ tenants }: Database, tenantId: string): TopUpAddress[] =>
  Array.from(tenants.get(tenantId)?.addresses.values() ?? []).filter((row) => row.retiredAt === null)

const everyAddress = ({ tenants }: Database): TopUpAddress[] =>
  Array.from(tenants.values(), ({ addresses }) => Array.from(addresses.values())).flat()
