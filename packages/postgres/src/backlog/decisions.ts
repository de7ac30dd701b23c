import { type Backlog, type BacklogCount, backlogCountMax } from '@quipu/core/adapter'
import { type Database, statement } from '../connection/database.ts'

const reviews = statement('backlog.reviews')`
  select count(*)::int as count, coalesce(sum(r.amount), 0)::text as minor,
    extract(epoch from quipu.store_now($1) - min(r.created_at))::float8 as oldest_seconds
  from (
    select d.amount, d.created_at from quipu.deposit d
    where d.status = 'in_review' and d.closed_at is null
      and (select true from quipu.moving_tenant m where m.tenant_id = d.tenant_id and m.left_at is not null limit 1) is null
    limit $2
  ) r`

const proposals = statement('backlog.proposals')`
  select count(*)::int as count,
    extract(epoch from quipu.store_now($1) - min(o.created_at))::float8 as oldest_seconds
  from (select * from quipu.proposal p
    where p.status = 'open' and p.expires_at > quipu.store_now($1) order by p.created_at limit $2) o`

/** A count, and the age of the oldest. */
export type WaitingRow = { readonly count: number; readonly oldest_seconds: number | null }

export const waitingFromRow = (row: WaitingRow | undefined): BacklogCount => ({
  count: row?.count ?? 0,
  oldestSeconds: Math.max(0, row?.oldest_seconds ?? 0),
})

/** Deposits and proposals that wait for a person's decision. */
export async function readDecisions(
  database: Pick<Database, 'query' | 'clockOverride'>,
): Promise<Pick<Backlog, 'depositsInReview' | 'proposals'>> {
  const values = [database.clockOverride(), backlogCountMax]
  const [held] = await database.query<WaitingRow & { readonly minor: string }>(reviews, values)
  const [proposed] = await database.query<WaitingRow>(proposals, values)
  const depositsInReview = { ...waitingFromRow(held), amountMicroUsdt: BigInt(held?.minor ?? 0) }
  return { depositsInReview, proposals: waitingFromRow(proposed) }
}
