import type { Database, Statement } from './database.ts'
import type { Item } from './payout-items.ts'

const endSessionNamed: Statement = {
  name: 'payout.end_session',
  text: `
    select coalesce(bool_and(pg_terminate_backend(pid, 2000)), true) as ended
    from pg_stat_activity where application_name = $1`,
}

/**
 * Ends what is left of a session in the database, and waits until it is gone.
 *
 * Whatever the session was doing is then either committed or never will be.
 */
export async function endSession(database: Database, name: string): Promise<void> {
  const [row] = await database.query<{ ended: boolean }>(endSessionNamed, [name])
  if (row?.ended !== true) throw new Error(`session ${name} could not be ended`)
}

const committedOf: Statement = {
  name: 'payout.committed_of',
  text: `
    select i.ordinality::int - 1 as place
    from unnest($1::text[], $2::text[], $3::text[], $4::int[]) with ordinality
      as i(tenant_id, payout_id, status, fence, ordinality)
    where case when i.fence is null
      then exists (
        select from quipu.payout p where p.tenant_id = i.tenant_id and p.id = i.payout_id
      )
      else exists (
        select from quipu.payout_end e
        where e.tenant_id = i.tenant_id and e.payout_id = i.payout_id
          and e.status = i.status and e.fence = i.fence
      )
    end`,
}

/** Which of the writes are in the database: a payout by its id, its end by who ended it and how. */
export async function wasCommitted(
  database: Database,
  items: readonly Item[],
): Promise<ReadonlySet<Item>> {
  const rows = await database.query<{ place: number }>(committedOf, [
    items.map(({ tenantId }) => tenantId),
    items.map(({ payoutId }) => payoutId),
    items.map(({ commit }) => commit.step.payout.status),
    items.map(({ commit }) => (commit.kind === 'settle' ? commit.claim.fence : null)),
  ])
  return new Set(rows.flatMap(({ place }) => items[place] ?? []))
}
