import type { LedgerAges } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'

/**
 * For each kind of check, the wallet that was checked longest ago, and one that was not checked yet, which counts
 * from its creation: a new tenant must not hide that the check has stopped.
 */
const readAges = statement('ledger_check.ages')`
  with oldest as (
    (select tenant_id, 'check' as kind, checked_at as at from quipu.ledger_check
      where checked_at > '-infinity' order by checked_at limit 1)
    union all
    (select tenant_id, 'check', checked_at from quipu.ledger_check
      where checked_at = '-infinity' limit 1)
    union all
    (select tenant_id, 'recheck', rechecked_at from quipu.ledger_check
      where rechecked_at > '-infinity' order by rechecked_at limit 1)
    union all
    (select tenant_id, 'recheck', rechecked_at from quipu.ledger_check
      where rechecked_at = '-infinity' limit 1)
  ), aged as (
    select o.kind,
      extract(epoch from quipu.store_now($1) - greatest(o.at, w.created_at))::float8 as seconds
    from oldest o join quipu.wallet w on w.tenant_id = o.tenant_id
  )
  select greatest(0, coalesce(max(a.seconds) filter (where a.kind = 'check'), 0)) as "uncheckedSeconds",
    greatest(0, coalesce(max(a.seconds) filter (where a.kind = 'recheck'), 0)) as "unrecheckedSeconds"
  from aged a`

/** The ages of the ledger check, from its two indexes. */
export async function ledgerAges(database: Database): Promise<LedgerAges> {
  const [ages] = await database.query<LedgerAges>(readAges, [database.clockOverride()])
  return ages ?? { uncheckedSeconds: 0, unrecheckedSeconds: 0 }
}
