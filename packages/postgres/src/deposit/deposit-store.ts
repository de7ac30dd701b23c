import {
  type ClaimedDeposit,
  type Deposit,
  type DepositCommit,
  type DepositStore,
  type PendingDeposit,
  type Tenant,
  Unavailable,
} from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import { commitDeposit } from './deposit-commit.ts'
import { listAllDeposits, listDeposits } from './deposit-list.ts'
import { depositColumns, depositFromRow, type DepositRow } from './deposit-row.ts'
import { topUpColumns, topUpFromRow, type TopUpRow } from './top-up-address-row.ts'

const find: Statement = {
  name: 'deposit.find',
  text: `select ${depositColumns} from quipu.deposit d where d.id = $1`,
}

/** A row that another worker is claiming is skipped, and one that it has just claimed is not due. */
const claimDue: Statement = {
  name: 'deposit.claim_due',
  text: `
    with due as materialized (
      select id from quipu.deposit
      where due_at <= (select quipu.store_now($3))
      order by due_at limit $1
      for no key update skip locked
    ), d as (
      update quipu.deposit
      set fence = fence + 1, asked = asked + 1,
        due_at = quipu.store_now($3) + make_interval(secs => $2)
      where id = any (array(select id from due))
      returning deposit.*, old.due_at as was_due_at
    )
    select ${depositColumns}, d.sender, d.solid_block, d.fence, d.asked, ${topUpColumns},
      (select t.status from quipu.tenant t where t.id = d.tenant_id) as tenant_status
    from d cross join lateral (
      select * from quipu.top_up_address a
      where a.tenant_id = d.tenant_id and a.address = d.address and a.chain = d.chain limit 1
    ) a
    order by d.was_due_at`,
}

type ClaimRow = DepositRow &
  TopUpRow & {
    readonly sender: string
    readonly solid_block: bigint | null
    readonly fence: number
    readonly asked: number
    readonly tenant_status: Tenant['status']
  }

const release: Statement = {
  name: 'deposit.release',
  text: `
    update quipu.deposit set due_at = quipu.store_now($4) + make_interval(secs => $3)
    where id = $1 and fence = $2 and due_at is not null
    returning id`,
}

export const depositStatements: readonly Statement[] = [find, claimDue, release]

/** Deposits in PostgreSQL. They come in by the scan store. */
export function postgresDepositStore(database: Database): DepositStore {
  const findDeposit = async (id: string): Promise<Deposit | undefined> => {
    const [row] = await database.read<DepositRow>(find, [id])
    return row && depositFromRow(row)
  }
  return {
    get: async (tenantId, id) => {
      const deposit = await findDeposit(id)
      return deposit?.tenantId === tenantId ? deposit : undefined
    },
    find: findDeposit,
    list: (tenantId, query) => listDeposits(database, tenantId, query),
    listAll: (query) => listAllDeposits(database, query),
    claimDue: async (limit, leaseSeconds) => {
      const values = [limit, leaseSeconds, database.now()]
      return (await database.query<ClaimRow>(claimDue, values)).map(claimed)
    },
    release: async ({ depositId, fence }, dueInSeconds) => {
      const values = [depositId, fence, dueInSeconds, database.now()]
      return (await database.query(release, values)).length === 1
    },
    commit: (write) => commitOnce(database, write),
  }
}

/** A write whose answer was lost is sent again, and answers for both. */
async function commitOnce(
  database: Database,
  write: DepositCommit,
): ReturnType<DepositStore['commit']> {
  try {
    return await commitDeposit(database, write, false)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return commitDeposit(database, write, true)
  }
}

const claimed = (row: ClaimRow): ClaimedDeposit => ({
  claim: { depositId: row.id, fence: row.fence },
  deposit: pending(row),
  sender: row.sender,
  solid:
    row.solid_block === null
      ? { type: 'gone' }
      : { type: 'confirmed', block: Number(row.solid_block) },
  topUp: topUpFromRow(row),
  tenantStatus: row.tenant_status,
  asked: row.asked,
})

function pending(row: DepositRow): PendingDeposit {
  const deposit = depositFromRow(row)
  if (deposit.status !== 'pending') throw new Error(`deposit ${deposit.id} is due and has ended`)
  return deposit
}
