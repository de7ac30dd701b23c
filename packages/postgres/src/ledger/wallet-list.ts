import { type Page, type PageQuery, usdt } from '@quipu/core'
import type { WalletOverview } from '@quipu/core/operator'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { membersOf } from '../members.ts'
import { idBoundsOf, pageOf } from '../page.ts'

// Wallets are in the order of their ids, which begin with their creation instant. Parameters: $1 exclusive
// upper id, $2 inclusive lower id, $3 number of rows.

const listing = (name: string, from: string): Statement => statement(name)`
  select ${membersOf('w', 'id tenant_id available held created_at updated_at')},
    nullif(w.logged_at, '-infinity') as "newestEntryAt"
  from ${from} w
  where w.id < $1 and w.id >= $2 order by w.id desc limit $3`

/** Leaves out frozen copies: the tenant is in another cell. */
const list = listing(
  'overview.wallets',
  `(
      select * from quipu.wallet f where (
        select true from quipu.moving_tenant m where m.tenant_id = f.tenant_id and m.left_at is not null limit 1
      ) is null
    )`,
)
/** Parameters: $4 tenant. */
const ofTenant = listing('overview.wallet_of_tenant', '(select * from quipu.wallet where tenant_id = $4 offset 0)')

type WalletRow = Omit<WalletOverview, 'available' | 'held'> & { readonly available: bigint; readonly held: bigint }

export async function listWallets(
  database: Database,
  { tenantId, ...query }: PageQuery & { readonly tenantId?: string },
): Promise<Page<WalletOverview>> {
  const values = [...idBoundsOf('wal', query), query.limit + 1]
  const rows =
    tenantId === undefined
      ? await database.list<WalletRow>(list, values)
      : await database.list<WalletRow>(ofTenant, [...values, tenantId])
  return pageOf(rows.map(walletFromRow), query.limit)
}

const walletFromRow = ({ available, held, ...row }: WalletRow): WalletOverview => ({
  ...row,
  available: usdt(available),
  held: usdt(held),
})
