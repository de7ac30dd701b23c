import type pg from 'pg'

/** A transaction with locks on our tables. What its role hides from ours is null. */
export type LockHolder = {
  /** Tells one transaction from the next of the same session. */
  readonly transaction: string
  /** Null: a prepared transaction. */
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
 * The other transactions that have locks on our tables now.
 *
 * Whoever has them before and after a wait for a lock was in its way, or at least in one transaction
 * for as long. PostgreSQL forgets whom a statement has waited for when it times out.
 */
export async function lockHolders(client: pg.Client): Promise<readonly LockHolder[]> {
  return (await client.query<LockHolder>(query)).rows
}

/** A part of a sentence for the operator. */
export function describeBlockers(blockers: readonly LockHolder[]): string {
  if (blockers.length === 0) return 'the sessions in its way have ended their transactions since'
  return `in transactions all the while: ${blockers.map(describe).join('; ')}`
}

function describe({ pid, role, application, state, started, tables }: LockHolder): string {
  if (pid === null) return `a prepared transaction with ${tables}`
  const details = [
    role && `role ${role}`,
    application,
    state,
    started && `since ${started}`,
  ].filter(Boolean)
  return `session ${pid} (${details.join(', ')}) with ${tables}`
}
