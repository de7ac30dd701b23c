import {
  catchUpDelaysSeconds,
  type ClaimedPayout,
  type PayoutClaim,
  type PayoutStore,
  type ProcessingPayout,
  type RaisedAlerts,
} from '@quipu/core/adapter'
import { type ClaimColumns, isDone } from '../claim-answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { callsToJson } from './network-call-store.ts'
import { readableRows } from '../readable-rows.ts'
import { payoutColumns, payoutFromRow, type PayoutRow, payoutTables } from './payout-row.ts'

// Decided by migrations/0006-payout-claims.sql; whether a mark can be missing, by migrations/0040-restores.sql.

const renewPayout = statement('renew_payout')`select quipu.renew_payout($1, $2, $3, $4, $5, $6) as done`

const yieldPayout = statement('yield_payout')`
  select quipu.yield_payout($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as done`

const catchUpPayouts = statement('catch_up_payouts')`select quipu.catch_up_payouts($1, $2)`

/** The columns of a claim `c` and its payout that `claimedFromRow` needs. */
export const claimColumns: string = `${payoutColumns}, c.fencing_token, c.claim_count, c.unanswered, c.raised,
  extract(epoch from c.moment - p.accepted_at)::float8 as open_seconds, c.network_ref as given_ref,
  coalesce(c.ordered, false) or not quipu.has_marks_since(p.accepted_at) as may_be_ordered`

const claimPayouts = statement('claim_payouts')`
  select ${claimColumns}
  from quipu.claim_payouts($1, $2, $3) c
  join ${payoutTables('quipu.payout')} on p.tenant_id = c.tenant_id and p.id = c.payout_id
  order by c.was_due_at`

const hintPayout = statement('hint_payout')`select quipu.hint_payout($1, $2)`

export type ClaimRow = PayoutRow &
  ClaimColumns & {
    readonly unanswered: number
    readonly open_seconds: number
    readonly raised: RaisedAlerts | null
    readonly given_ref: string | null
    readonly may_be_ordered: boolean
  }

export type PayoutClaims = Pick<PayoutStore, 'renew' | 'markOrdered' | 'yieldClaim' | 'claimDue' | 'hint' | 'catchUp'>

/** The claims of payouts in `processing`, and when they are due. */
export function payoutClaims(database: Database): PayoutClaims {
  const named = ({ tenantId, payoutId, fencingToken }: PayoutClaim) => [tenantId, payoutId, fencingToken]
  const renew = (claim: PayoutClaim, leaseSeconds: number, marksOrder: boolean): Promise<boolean> =>
    isDone(database.query, renewPayout, [...named(claim), leaseSeconds, marksOrder, database.clockOverride()])
  return {
    renew: (claim, leaseSeconds) => renew(claim, leaseSeconds, false),
    markOrdered: (claim, leaseSeconds) => renew(claim, leaseSeconds, true),
    yieldClaim: async (claim, { dueInSeconds, statusCall, raised, calls, networkRef }) => {
      const alerts = Object.keys(raised).length > 0 ? JSON.stringify(raised) : null
      const probeInSeconds = statusCall?.answered === false ? statusCall.probeInSeconds : null
      const answered = statusCall?.answered ?? null
      const left = [dueInSeconds, answered, probeInSeconds, alerts, callsToJson(calls), catchUpDelaysSeconds]
      const values = [...named(claim), ...left, networkRef ?? null, database.clockOverride()]
      return isDone(database.query, yieldPayout, values)
    },
    catchUp: async (perSecond) => {
      await database.query(catchUpPayouts, [perSecond, database.clockOverride()])
    },
    claimDue: async (limit, leaseSeconds) => {
      const values = [limit, leaseSeconds, database.clockOverride()]
      const rows = await database.query<ClaimRow>(claimPayouts, values)
      return readableRows(database, 'payout', rows, claimedFromRow)
    },
    hint: async (payoutId) => {
      await database.query(hintPayout, [payoutId, database.clockOverride()])
    },
  }
}

export const claimedFromRow = (row: ClaimRow): ClaimedPayout => ({
  payout: processing(row),
  claim: { tenantId: row.tenant_id, payoutId: row.id, fencingToken: row.fencing_token },
  claimCount: row.claim_count,
  unanswered: row.unanswered,
  openSeconds: row.open_seconds,
  raised: row.raised ?? {},
  isOrdered: row.details.marks_order === true ? row.may_be_ordered : null,
  givenRef: row.given_ref,
  traceparent: row.details.traceparent,
})

function processing(row: ClaimRow): ProcessingPayout {
  const payout = payoutFromRow(row)
  if (payout.status !== 'processing')
    throw new Error(`payout ${payout.id} is claimed and already settled: this is a bug`)
  return row.given_ref === null ? payout : { ...payout, networkRef: row.given_ref }
}
