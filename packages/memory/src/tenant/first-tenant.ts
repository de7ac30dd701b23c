import type { Caller, Usdt } from '@quipu/core'
import type { Database } from '../table/database.ts'
import { log, move } from '../ledger/wallet-transfers.ts'
import { putKey } from '../api-key/api-key-store.ts'
import { putTenant } from './tenant-store.ts'

/** A tenant that a database begins with, its active key, and what its wallet holds. */
export type FirstTenant = Caller & { readonly walletId: string; readonly balance: Usdt }

/** Adds a tenant as operators would, by nobody: without audit entries, and its balance without a proposal. */
export function putFirstTenant(database: Database, { tenant, key, walletId, balance }: FirstTenant): void {
  const tenantData = putTenant(database, tenant, walletId)
  putKey(database, key)
  move(tenantData, { type: 'adjustment_in', amount: balance }, {}, log(tenantData.wallet, tenant.createdAt))
}
