import type { Chain, TopUpAddress, TopUpAddressStore } from '@quipu/core'
import { insertAudit } from '../tenant/audit-log.ts'
import type { Database, Statement } from '../connection/database.ts'
import { topUpColumns, topUpFromRow, type TopUpRow } from './top-up-address-row.ts'

const listInUse: Statement = {
  name: 'top_up_address.list',
  text: `
    select ${topUpColumns} from quipu.top_up_address a
    where a.tenant_id = $1 and a.retired_at is null`,
}

const findInUse: Statement = {
  name: 'top_up_address.find_in_use',
  text: `
    select ${topUpColumns} from quipu.top_up_address a
    where a.tenant_id = $1 and a.chain = $2 and a.retired_at is null`,
}

const match: Statement = {
  name: 'top_up_address.match',
  text: `
    select ${topUpColumns} from quipu.top_up_address a
    where a.chain = $1 and a.account = any ($2::text[])`,
}

const lockWallet: Statement = {
  name: 'top_up_address.lock_wallet',
  text: `select from quipu.wallet where tenant_id = $1 for no key update`,
}

const drawIndex: Readonly<Record<Chain, Statement>> = {
  tron: {
    name: 'top_up_address.draw_tron_index',
    text: `select nextval('quipu.top_up_index_tron')::int as index`,
  },
}

const insert: Statement = {
  name: 'top_up_address.insert',
  text: `
    insert into quipu.top_up_address (tenant_id, chain, index, account, address, seal, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,
}

const retire: Statement = {
  name: 'top_up_address.retire',
  text: `
    update quipu.top_up_address set retired_at = $3
    where tenant_id = $1 and chain = $2 and retired_at is null
    returning account`,
}

export const addressStatements: readonly Statement[] = [listInUse, findInUse, match, retire]

/** Top-up addresses in PostgreSQL. */
export const postgresTopUpAddressStore = (database: Database): TopUpAddressStore => ({
  list: async (tenantId) =>
    (await database.read<TopUpRow>(listInUse, [tenantId])).map(topUpFromRow),
  ensure: (tenantId, chain, make) =>
    database.transaction(async (query): Promise<TopUpAddress> => {
      const wallets = await query(lockWallet, [tenantId])
      if (wallets.length === 0) throw new Error(`tenant ${tenantId} has no wallet`)
      const [known] = await query<TopUpRow>(findInUse, [tenantId, chain])
      if (known !== undefined) return topUpFromRow(known)
      const [drawn] = await query<{ index: number }>(drawIndex[chain], [])
      if (drawn === undefined) throw new Error(`${chain} has no more indexes`)
      const { account, address, seal, createdAt, ...made } = make(drawn.index)
      const values = [tenantId, chain, made.index, account, address, seal, createdAt]
      await query(insert, values)
      return { ...made, account, address, seal, createdAt, retiredAt: null }
    }),
  match: async (chain, accounts) =>
    accounts.length === 0
      ? []
      : (await database.query<TopUpRow>(match, [chain, accounts])).map(topUpFromRow),
  retire: (tenantId, chain, at, audit) =>
    database.transaction(async (query) => {
      const rows = await query(retire, [tenantId, chain, at])
      if (rows.length === 0) return false
      await insertAudit(query, audit)
      return true
    }),
})
