import type pg from 'pg'

/** A transaction with locks on tables of `quipu`. Members that our role may not read are null. */
export type LockHolder = {
  /** Its virtual id, which differs between transactions of one session. */
  readonly transaction: string
  /** Null for a prepared transaction. */
  readonly pid: number | null
  readonly role: string | null
  readonly application: string | null
  readonly state: string | null
  readonly started: string | null
  readonly tables: string
}

const query = `
  select virtualtransaction as transaction, pid, usename as role, application_name as application,
    coalesce(wait_event, state) as state, to_json(xact_start)#>>'{}' as started,
    string_agg(distinct c.oid::regclass::text, ', ') as tables
  from pg_locks l
  join pg_class c on c.oid = relation and relnamespace = 'quipu'::regnamespace and relkind in ('r', 'p')
  left join pg_stat_activity a using (pid)
  where database = (select oid from pg_database where datname = current_database())
    and granted and pid is distinct from pg_backend_pid()
  group by 1, 2, 3, 4, 5, 6
  order by started, pid`

/**
 * The other transactions that have locks on tables of `quipu` now.
 *
 * PostgreSQL does not report the blockers of a statement that timed out. A transaction that holds locks
 * before and after the wait was one of them, or at least as long-running.
 */
export async function lockHolders(client: pg.Client): Promise<readonly LockHolder[]> {
  return (await client.query<LockHolder>(query)).rows
}

/** A clause for the operator that names the blocking sessions. */
export function describeBlockers(blockers: readonly LockHolder[]): string {
  if (blockers.length === 0) return 'the blocking sessions have ended their transactions since'
  return `blocked by: ${blockers.map(describe).join('; ')}`
}

function describe({ pid, role, application, state, started, tables }: LockHolder): string {
  if (pid === null) return `a prepared transaction with ${tables}`
  const details = [role && `role ${role}`, application, state, started && `since ${started}`].filter(Boolean)
  return `session ${pid} (${details.join(', ')}) with ${tables}`
}
