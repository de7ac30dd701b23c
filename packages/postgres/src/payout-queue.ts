import type { Claim, PayoutStore, ProcessingPayout } from '@quipu/core'
import type { Database, Statement } from './database.ts'
import { payoutColumns, payoutFromRow, type PayoutRow, payoutTables } from './payout-row.ts'

const moveLease: Statement = {
  name: 'payout.move_lease',
  text: `
    update quipu.payout_open
    set leased = $4, woken = woken and $4,
      due_at = quipu.store_now($6)
        + make_interval(secs => case when woken and not $4 then 0 else $5::float8 end)
    where payout_id = $2 and tenant_id = $1 and fence = $3
    returning fence`,
}

/** A row that another worker is claiming is skipped, and one that it has just claimed is not due. */
const claimDue: Statement = {
  name: 'payout.claim_due',
  text: `
    with due as materialized (
      select payout_id, tenant_id, due_at as was_due_at from quipu.payout_open
      where due_at <= (select quipu.store_now($3))
      order by due_at limit $1
      for update skip locked
    ), claimed as (
      update quipu.payout_open o
      set fence = fence + 1, asked = asked + 1, leased = true, woken = false,
        due_at = quipu.store_now($3) + make_interval(secs => $2)
      from due where o.payout_id = due.payout_id and o.tenant_id = due.tenant_id
      returning o.tenant_id, o.payout_id, o.fence, o.asked, due.was_due_at
    )
    select ${payoutColumns}, c.fence, c.asked
    from claimed c join ${payoutTables('quipu.payout')} on p.tenant_id = c.tenant_id and p.id = c.payout_id
    order by c.was_due_at`,
}

const wake: Statement = {
  name: 'payout.wake',
  text: `
    update quipu.payout_open o
    set woken = o.leased, due_at = case when o.leased then o.due_at else now.moment end
    from (select quipu.store_now($2) as moment) now
    where o.payout_id = $1 and o.due_at > now.moment`,
}

export const queueStatements: readonly Statement[] = [moveLease, claimDue, wake]

type ClaimRow = PayoutRow & { readonly fence: number; readonly asked: number }

export type PayoutQueue = Pick<PayoutStore, 'renew' | 'release' | 'claimDue' | 'wake'>

/** Who may ask the network about the payouts in `processing`, and when. */
export function payoutQueue(database: Database): PayoutQueue {
  const move = async (
    { tenantId, payoutId, fence }: Claim,
    leased: boolean,
    seconds: number,
  ): Promise<boolean> => {
    const values = [tenantId, payoutId, fence, leased, seconds, database.now()]
    return (await database.query(moveLease, values)).length === 1
  }
  return {
    renew: (claim, leaseSeconds) => move(claim, true, leaseSeconds),
    release: (claim, dueInSeconds) => move(claim, false, dueInSeconds),
    claimDue: async (limit, leaseSeconds) => {
      const values = [limit, leaseSeconds, database.now()]
      const rows = await database.query<ClaimRow>(claimDue, values)
      return rows.map((row) => ({
        payout: processing(row),
        claim: { tenantId: row.tenant_id, payoutId: row.id, fence: row.fence },
        asked: row.asked,
      }))
    },
    wake: async (payoutId) => {
      await database.query(wake, [payoutId, database.now()])
    },
  }
}

function processing(row: PayoutRow): ProcessingPayout {
  const payout = payoutFromRow(row)
  if (payout.status !== 'processing') throw new Error(`payout ${payout.id} is queued and has ended`)
  return payout
}
