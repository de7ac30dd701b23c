import { Unavailable } from '@quipu/core'
import { type Database, statement } from '../connection/database.ts'

/** Reads only the catalog, which every role may. A migration grants what `quipu_process` lacks here. */
const lacking = statement('ping.lacking_rights')`
  select string_agg(l.name, ', ' order by l.name) as lacking from (
    select format('table %s', c.relname) as name from pg_class c
    where c.relnamespace = to_regnamespace('quipu') and c.relkind in ('r', 'p', 'v') and not c.relispartition
      and not has_any_column_privilege(c.oid, 'select')
    union all
    select format('function %s', p.proname) from pg_proc p
    where p.pronamespace = to_regnamespace('quipu') and p.prorettype <> 'trigger'::regtype
      and (p.prosecdef or obj_description(p.oid, 'pg_proc') = 'for processes')
      and not has_function_privilege(p.oid, 'execute')
    union all
    select 'schema quipu' where not has_schema_privilege(to_regnamespace('quipu'), 'usage')
    limit 3
  ) l`

/** Readings within this time share one look at the catalog. */
const maxAgeMs = 4_000

/**
 * Finds rights that were taken from the role while the process runs. A prepared statement may go on without them, so that
 * neither a write nor a read of this process shows it.
 *
 * @throws Unavailable that names what the role lacks
 */
export function processRights(
  database: Pick<Database, 'query'>,
  monotonic: () => number = () => performance.now(),
): () => Promise<void> {
  let checkedAt = -Infinity
  return async () => {
    if (monotonic() - checkedAt < maxAgeMs) return
    const [row] = await database.query<{ lacking: string | null }>(lacking, [])
    if (row?.lacking) {
      const reason = `the role may not use ${row.lacking}: grant it quipu_process, and run \`quipu-admin migrate\``
      throw new Unavailable('store', reason)
    }
    checkedAt = monotonic()
  }
}
