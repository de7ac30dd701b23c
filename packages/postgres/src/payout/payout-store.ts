import type { PayoutStore } from '@quipu/core/adapter'
import { type Database, statement } from '../connection/database.ts'
import type { PayoutCommits } from './payout-commit.ts'
import { listPayouts } from './payout-list.ts'
import { findForCreate } from './find-for-create.ts'
import { payoutClaims } from './payout-claims.ts'
import {
  storedPayoutColumns,
  storedPayoutFromRow,
  type StoredPayoutRow,
  storedPayoutTables,
  payoutColumns,
  payoutFromRow,
  type PayoutRow,
  payoutTables,
} from './payout-row.ts'

const findPayout = statement('payout.find')`
  select ${storedPayoutColumns('$3')} from ${storedPayoutTables}
  where p.tenant_id = $1 and p.transaction_id = $2`

const getPayout = statement('payout.get')`
  select ${payoutColumns} from ${payoutTables('quipu.payout')}
  where p.tenant_id = $1 and p.id = $2`

/** Payouts in PostgreSQL. The tables are in migrations/0004-payouts.sql. */
export function postgresPayoutStore(database: Database, commits: PayoutCommits): PayoutStore {
  const find: PayoutStore['find'] = async (tenantId, transactionId) => {
    const values = [tenantId, transactionId, database.clockOverride()]
    const [row] = await database.read<StoredPayoutRow>(findPayout, values)
    return row && storedPayoutFromRow(row)
  }
  return {
    ...payoutClaims(database),
    commit: commits.commit,
    findForCreate: findForCreate(database, find, commits.worthWaitingFor),
    find,
    get: async (tenantId, id) => {
      const [row] = await database.read<PayoutRow>(getPayout, [tenantId, id])
      return row && payoutFromRow(row)
    },
    list: (tenantId, query) => listPayouts(database, tenantId, query),
  }
}
