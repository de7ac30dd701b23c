import { usdt } from '@quipu/core'
import type { AuditPosition, CreditRecord, LedgerCheck } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'
import { ledgerAges } from './ledger-ages.ts'
import { lowestEventId } from '../page.ts'
import { topUpColumns, topUpFromRow, type TopUpRow } from '../top-up-address/top-up-address-row.ts'

// Decided by migrations/0021-ledger-check.sql.

const checkLedger = statement('check_ledger')`select quipu.check_ledger($1, $2, $3) as checked`

const checkAuditLog = statement('check_audit_log')`
  select last_id as id, encode(last_hash, 'hex') as hash
  from quipu.check_audit_log($1, decode($2, 'hex'), $3)`

/** The newest credits of all wallets. */
const findCredits = statement('ledger_check.credits')`
  select d.id as deposit_id, d.tenant_id as owner_id, d.tx_hash, d.transfer_index, d.amount,
    d.sender, d.solid_block, ${topUpColumns}
  from (
    select f.tenant_id, f.subject_id, f.event_id from quipu.funding_entry f
    where f.type = 'deposit.credited' and f.event_id >= $1::uuid
    order by f.event_id desc limit $2
  ) f
  join quipu.deposit d on d.id = f.subject_id and d.tenant_id = f.tenant_id
  cross join lateral (
    select * from quipu.top_up_address a
    where a.tenant_id = d.tenant_id and a.address = d.address and a.chain = d.chain limit 1
  ) a
  order by f.event_id desc`

type CreditRow = TopUpRow & {
  readonly deposit_id: string
  readonly owner_id: string
  readonly tx_hash: string
  readonly transfer_index: number
  readonly amount: bigint
  readonly sender: string
  readonly solid_block: bigint
}

type Ended = { readonly id: null; readonly hash: null }

/** The ledger check in PostgreSQL. */
export const postgresLedgerCheck = (database: Database): LedgerCheck => ({
  wallets: async ({ wallets, postings, everySeconds }) => {
    const values = [wallets, postings, everySeconds]
    const [row] = await database.query<{ checked: number }>(checkLedger, values)
    return row?.checked ?? 0
  },
  ages: () => ledgerAges(database),
  auditLog: async (after, entries) => {
    const values = [after.id, after.hash, entries]
    const [last] = await database.query<AuditPosition | Ended>(checkAuditLog, values)
    return last === undefined || last.id === null ? null : last
  },
  credits: async (since, limit) =>
    (await database.query<CreditRow>(findCredits, [lowestEventId(since.getTime()), limit])).map(creditFromRow),
})

const creditFromRow = (row: CreditRow): CreditRecord => ({
  depositId: row.deposit_id,
  tenantId: row.owner_id,
  deposit: { txHash: row.tx_hash, transferIndex: row.transfer_index, amount: usdt(row.amount) },
  sender: row.sender,
  block: Number(row.solid_block),
  topUp: topUpFromRow(row),
})
