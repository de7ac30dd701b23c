import {
  catchUpPausesSeconds,
  type Claim,
  type PayoutStore,
  type ProcessingPayout,
  type RaisedAlerts,
} from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import { payoutColumns, payoutFromRow, type PayoutRow, payoutTables } from './payout-row.ts'

const renew: Statement = {
  name: 'payout.renew',
  text: `
    update quipu.payout_open
    set leased = true, due_at = quipu.store_now($5) + make_interval(secs => $4)
    where payout_id = $2 and tenant_id = $1 and fence = $3
    returning fence`,
}

const release: Statement = {
  name: 'payout.release',
  text: 'select quipu.release_payout($1, $2, $3, $4, $5, $6, $7, $8, $9) as released',
}

const catchUp: Statement = {
  name: 'payout.catch_up',
  text: 'select quipu.catch_up_payouts($1, $2)',
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
      returning o.tenant_id, o.payout_id, o.fence, o.asked, o.unanswered, o.raised,
        quipu.store_now($3) - o.opened_at as open_for, due.was_due_at
    )
    select ${payoutColumns}, c.fence, c.asked, c.unanswered, c.raised,
      extract(epoch from c.open_for)::float8 as open_seconds
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

export const queueStatements: readonly Statement[] = [renew, claimDue, wake]

type ClaimRow = PayoutRow & {
  readonly fence: number
  readonly asked: number
  readonly unanswered: number
  readonly open_seconds: number
  readonly raised: RaisedAlerts | null
}

export type PayoutQueue = Pick<PayoutStore, 'renew' | 'release' | 'claimDue' | 'wake' | 'catchUp'>

/** Who may ask the network about the payouts in `processing`, and when. */
export function payoutQueue(database: Database): PayoutQueue {
  const named = ({ tenantId, payoutId, fence }: Claim) => [tenantId, payoutId, fence]
  return {
    renew: async (claim, leaseSeconds) => {
      const values = [...named(claim), leaseSeconds, database.now()]
      return (await database.query(renew, values)).length === 1
    },
    release: async (claim, { dueInSeconds, question, raised }) => {
      const alerts = Object.keys(raised).length > 0 ? JSON.stringify(raised) : null
      const probeInSeconds = question?.answered === false ? question.probeInSeconds : null
      const answered = question?.answered ?? null
      const left = [dueInSeconds, answered, probeInSeconds, alerts, catchUpPausesSeconds]
      const values = [...named(claim), ...left, database.now()]
      const [row] = await database.query<{ released: boolean }>(release, values)
      return row?.released ?? false
    },
    catchUp: async (perSecond) => {
      await database.query(catchUp, [perSecond, database.now()])
    },
    claimDue: async (limit, leaseSeconds) => {
      const values = [limit, leaseSeconds, database.now()]
      const rows = await database.query<ClaimRow>(claimDue, values)
      return rows.map((row) => ({
        payout: processing(row),
        claim: { tenantId: row.tenant_id, payoutId: row.id, fence: row.fence },
        asked: row.asked,
        unanswered: row.unanswered,
        openSeconds: row.open_seconds,
        raised: row.raised ?? {},
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
