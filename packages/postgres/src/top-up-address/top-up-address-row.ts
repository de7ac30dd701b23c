import type { TopUpAddress } from '@quipu/core'
import type { Chain } from '@quipu/core/adapter'

/** A row of `quipu.top_up_address`, as `topUpColumns` names it. */
export type TopUpRow = {
  readonly top_up_tenant_id: string
  readonly top_up_chain: Chain
  readonly top_up_index: number
  readonly top_up_account: string
  readonly top_up_address: string
  readonly top_up_address_mac: string
  readonly top_up_created_at: Date
  readonly top_up_retired_at: Date | null
}

const names = ['tenant_id', 'chain', 'index', 'account', 'address', 'address_mac', 'created_at', 'retired_at']

/** The columns of table `a` that `topUpFromRow` needs. */
export const topUpColumns: string = names.map((name) => `a.${name} as top_up_${name}`).join(', ')

export const topUpFromRow = (row: TopUpRow): TopUpAddress => ({
  tenantId: row.top_up_tenant_id,
  chain: row.top_up_chain,
  index: row.top_up_index,
  account: row.top_up_account,
  address: row.top_up_address,
  mac: row.top_up_address_mac,
  createdAt: row.top_up_created_at,
  retiredAt: row.top_up_retired_at,
})
