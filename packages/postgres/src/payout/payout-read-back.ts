import type { Redated } from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import type { Item } from './payout-items.ts'

const committedOf: Statement = {
  name: 'payout.committed_of',
  text: `
    select i.ordinality::int - 1 as place, e.ended_at
    from unnest($1::text[], $2::text[], $3::text[], $4::int[]) with ordinality
      as i(tenant_id, payout_id, status, fence, ordinality)
    left join lateral (
      select e.ended_at from quipu.payout_end e
      where e.tenant_id = i.tenant_id and e.payout_id = i.payout_id
        and e.status = i.status and e.fence = i.fence
    ) e on true
    where case when i.fence is null
      then exists (
        select from quipu.payout p where p.tenant_id = i.tenant_id and p.id = i.payout_id
      )
      else e.ended_at is not null
    end`,
}

/**
 * The results of the writes that are durable in the database. A payout is found by its id; its end by who
 * ended it and how.
 */
export async function readResults(
  database: Database,
  items: readonly Item[],
): Promise<ReadonlyMap<Item, 'committed' | Redated>> {
  const rows = await database.read<{ place: number; ended_at: Date | null }>(committedOf, [
    items.map(({ tenantId }) => tenantId),
    items.map(({ payoutId }) => payoutId),
    items.map(({ commit }) => commit.step.payout.status),
    items.map(({ commit }) => (commit.kind === 'settle' ? commit.claim.fence : null)),
  ])
  return new Map(
    rows.flatMap(({ place, ended_at }) => {
      const item = items[place]
      return item === undefined ? [] : [[item, resultOf(item, ended_at)]]
    }),
  )
}

function resultOf({ commit }: Item, endedAt: Date | null): 'committed' | Redated {
  if (commit.kind !== 'settle' || endedAt === null) return 'committed'
  return endedAt > commit.step.payout.endedAt ? { redatedTo: endedAt } : 'committed'
}
