import type { Tenant } from '@quipu/core'
import {
  type ClaimedDeposit,
  type DepositAttempts,
  type DepositStore,
  isUndecided,
  type UndecidedDeposit,
} from '@quipu/core/adapter'
import { type ClaimColumns, isDone } from '../claim-answer.ts'
import { answer } from '../answer.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { commitReviewClosures } from './close-reviews.ts'
import type { DepositCommits } from './deposit-commit.ts'
import { listDeposits } from './deposit-list.ts'
import { listAllDeposits } from './deposit-list-all.ts'
import { depositColumns, depositFromRow, type DepositRow } from './deposit-row.ts'
import { topUpColumns, topUpFromRow, type TopUpRow } from '../top-up-address/top-up-address-row.ts'

const get = statement('deposit.get')`select ${depositColumns} from quipu.deposit d where d.id = $1 and d.tenant_id = $2`

const find = statement('deposit.find')`select ${depositColumns} from quipu.deposit d where d.id = $1`

// Decided by migrations/0009-funding.sql, `screen_deposit` by migrations/0046-screening.sql.

const claimDeposits = statement('claim_deposits')`
  select tenant_id, deposit_id, fencing_token, claim_count
  from quipu.claim_deposits($1, $2, $3)`

/** Reads the deposits of new claims, in the order of the claims. */
const claimedDeposits = statement('deposit.claimed')`
  select c.fencing_token, c.claim_count, ${depositColumns}, d.sender, d.solid_block,
    ${topUpColumns},
    (select t.status from quipu.tenant t where t.id = d.tenant_id) as tenant_status
  from unnest($1::text[], $2::text[], $3::int[], $4::int[]) with ordinality
    c (tenant_id, deposit_id, fencing_token, claim_count, place)
  cross join lateral (
    select * from quipu.deposit d
    where d.id = c.deposit_id and d.tenant_id = c.tenant_id limit 1
  ) d
  cross join lateral (
    select * from quipu.top_up_address a
    where a.tenant_id = d.tenant_id and a.address = d.address and a.chain = d.chain limit 1
  ) a
  order by c.place`

type Claimed = ClaimColumns & { readonly tenant_id: string; readonly deposit_id: string }

type ClaimRow = DepositRow &
  TopUpRow &
  ClaimColumns & {
    readonly sender: string
    readonly solid_block: bigint | null
    readonly tenant_status: Tenant['status']
  }

const yieldDeposit = statement('yield_deposit')`select quipu.yield_deposit($1, $2, $3, $4, $5, $6) as done`

const attempts = statement('deposit.attempts')`
  select d.claim_count as "claimCount", d.problem, d.due_at as "nextAt"
  from quipu.deposit d where d.id = $1 and d.due_at is not null`

const screening = statement('deposit.screening')`select d.screened_by from quipu.deposit d where d.id = $1`

const screenDeposit = statement('screen_deposit')`select quipu.screen_deposit($1, $2, $3, $4, $5) as result`

/** Deposits in PostgreSQL. The scan store inserts them. */
export function postgresDepositStore(database: Database, { commit }: Pick<DepositCommits, 'commit'>): DepositStore {
  const findBy = async (statement: Statement, ...key: readonly string[]) => {
    const [row] = await database.read<DepositRow>(statement, key)
    return row && depositFromRow(row)
  }
  return {
    get: (tenantId, id) => findBy(get, id, tenantId),
    find: (id) => findBy(find, id),
    list: (tenantId, query) => listDeposits(database, tenantId, query),
    listAll: (query) => listAllDeposits(database, query),
    claimDue: async (limit, leaseSeconds) => {
      const rows = await database.query<Claimed>(claimDeposits, [limit, leaseSeconds, database.clockOverride()])
      if (rows.length === 0) return []
      const claims = [
        rows.map((row) => row.tenant_id),
        rows.map((row) => row.deposit_id),
        rows.map((row) => row.fencing_token),
        rows.map((row) => row.claim_count),
      ]
      return (await database.query<ClaimRow>(claimedDeposits, claims)).map(claimed)
    },
    yieldClaim: async ({ tenantId, depositId, fencingToken }, dueInSeconds, problem) => {
      const values = [tenantId, depositId, fencingToken, dueInSeconds, problem, database.clockOverride()]
      return isDone(database.query, yieldDeposit, values)
    },
    attempts: async (id) => (await database.read<DepositAttempts>(attempts, [id]))[0],
    screening: async (id) =>
      (await database.read<{ screened_by: string | null }>(screening, [id]))[0]?.screened_by ?? null,
    screenAgain: ({ id, tenantId }, by) => {
      const values = [tenantId, id, credentialJson(by), by.at, database.clockOverride()]
      return answer(database.write, screenDeposit, values)
    },
    commit,
    closeReviews: (write) => commitReviewClosures(database, write),
  }
}

const claimed = (row: ClaimRow): ClaimedDeposit => ({
  claim: { tenantId: row.tenant_id, depositId: row.id, fencingToken: row.fencing_token },
  deposit: undecided(row),
  sender: row.sender,
  solid: row.solid_block === null ? { type: 'gone' } : { type: 'confirmed', block: Number(row.solid_block) },
  topUp: topUpFromRow(row),
  tenantStatus: row.tenant_status,
  claimCount: row.claim_count,
})

function undecided(row: DepositRow): UndecidedDeposit {
  const deposit = depositFromRow(row)
  if (!isUndecided(deposit)) throw new Error(`deposit ${deposit.id} is due and already settled: this is a bug`)
  return deposit
}
