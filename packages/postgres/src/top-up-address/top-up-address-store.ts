import type { TopUpAddress } from '@quipu/core'
import type { TopUpAddressStore } from '@quipu/core/adapter'
import type { KeyUse } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { topUpColumns, topUpFromRow, type TopUpRow } from './top-up-address-row.ts'

const listInUse = statement('top_up_address.list')`
  select ${topUpColumns} from quipu.top_up_address a
  where a.tenant_id = $1 and a.retired_at is null`

const listAll = statement('top_up_address.list_all')`
  select ${topUpColumns} from quipu.top_up_address a
  where a.tenant_id = $1 order by a.created_at desc, a.index desc limit $2`

const findInUse = statement('top_up_address.find_in_use')`
  select ${topUpColumns} from quipu.top_up_address a
  where a.tenant_id = $1 and a.chain = $2 and a.retired_at is null`

const match = statement('top_up_address.match')`
  select ${topUpColumns} from quipu.top_up_address a
  where a.chain = $1 and a.account = any ($2::text[])
    and (select true from quipu.moving_tenant m where m.tenant_id = a.tenant_id and m.left_at is not null limit 1) is null`

// Decided by migrations/0007-top-up-addresses.sql.

const drawTopUpIndex = statement('draw_top_up_index')`select quipu.draw_top_up_index($1, $2) as index`

const insertTopUpAddress = statement('insert_top_up_address')`
  select quipu.insert_top_up_address($1, $2, $3, $4, $5, $6, $7)`

const retireTopUpAddress = statement('retire_top_up_address')`
  select quipu.retire_top_up_address($1, $2, $3, $4) as result`

const listByOtherKeys = statement('top_up_address.list_by_other_keys')`
  select ${topUpColumns} from quipu.top_up_address a
  where a.account > $2 and split_part(a.address_mac, '.', 1) <> $1
    and (select true from quipu.moving_tenant m where m.tenant_id = a.tenant_id and m.left_at is not null limit 1) is null
  order by a.account, a.chain limit $3`

const keyUse = statement('top_up_address.key_use')`
  select split_part(a.address_mac, '.', 1) as "keyId", count(*)::int as count
  from quipu.top_up_address a
  where (select true from quipu.moving_tenant m where m.tenant_id = a.tenant_id and m.left_at is not null limit 1) is null
  group by 1 order by 1`

const sample = statement('top_up_address.sample')`
  select ${topUpColumns} from quipu.top_up_address a
  where split_part(a.address_mac, '.', 1) = $1 order by a.index desc limit $2`

// Decided by migrations/0032-key-renewal.sql.
const renewAddressMac = statement('renew_address_mac')`select quipu.renew_address_mac($1, $2, $3, $4) as renewed`

/** Top-up addresses in PostgreSQL. */
export const postgresTopUpAddressStore = (database: Database): TopUpAddressStore => ({
  list: async (tenantId) => (await database.read<TopUpRow>(listInUse, [tenantId])).map(topUpFromRow),
  listAll: async (tenantId, limit) => (await database.read<TopUpRow>(listAll, [tenantId, limit])).map(topUpFromRow),
  ensure: (tenantId, chain, make) =>
    database.transaction(async (query): Promise<TopUpAddress> => {
      const [drawn] = await query<{ index: number | null }>(drawTopUpIndex, [tenantId, chain])
      if (drawn?.index === null) {
        const [inUse] = await query<TopUpRow>(findInUse, [tenantId, chain])
        if (inUse !== undefined) return topUpFromRow(inUse)
      }
      if (typeof drawn?.index !== 'number') throw new Error(`draw_top_up_index has no sequence for the chain ${chain}`)
      const { index, account, address, mac, createdAt } = make(drawn.index)
      await query(insertTopUpAddress, [tenantId, chain, index, account, address, mac, createdAt])
      return { tenantId, chain, index, account, address, mac, createdAt, retiredAt: null }
    }),
  match: async (chain, accounts) =>
    accounts.length === 0 ? [] : (await database.query<TopUpRow>(match, [chain, accounts])).map(topUpFromRow),
  listByOtherKeys: async (keyId, after, limit) =>
    (await database.query<TopUpRow>(listByOtherKeys, [keyId, after, limit])).map(topUpFromRow),
  renewMac: async ({ chain, account, mac: former }, mac) => {
    const values = [chain, account, former, mac]
    const [row] = await database.write<{ renewed: boolean }>(renewAddressMac, values)
    return row?.renewed ?? false
  },
  keyUse: () => database.query<KeyUse>(keyUse, []),
  sample: async (keyId, limit) => (await database.query<TopUpRow>(sample, [keyId, limit])).map(topUpFromRow),
  retire: (tenantId, chain, by) =>
    answer(database.write, retireTopUpAddress, [tenantId, chain, credentialJson(by), by.at]),
})
