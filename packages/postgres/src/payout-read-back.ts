import type { Database, Statement } from './database.ts'
import type { Item } from './payout-items.ts'

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

/** Which of the writes are durable in the database: a payout by its id, its end by who ended it and how. */
export async function wasCommitted(
  database: Database,
  items: readonly Item[],
): Promise<ReadonlySet<Item>> {
  const rows = await database.read<{ place: number }>(committedOf, [
    items.map(({ tenantId }) => tenantId),
    items.map(({ payoutId }) => payoutId),
    items.map(({ commit }) => commit.step.payout.status),
    items.map(({ commit }) => (commit.kind === 'settle' ? commit.claim.fence : null)),
  ])
  return new Set(rows.flatMap(({ place }) => items[place] ?? []))
}
