import type pg from 'pg'

/** The key of the lock that a migration holds until its session ends. */
const key = `hashtextextended('quipu.migrate', 0)`

const holder = `
  select l.pid, a.usename as role, a.application_name as application, a.client_addr::text as address,
    to_json(a.backend_start)#>>'{}' as since
  from pg_locks l left join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and l.objsubid = 1 and (l.classid::bigint << 32) + l.objid::bigint = ${key}`

type Holder = {
  readonly pid: number
  readonly role: string | null
  readonly application: string | null
  readonly address: string | null
  readonly since: string | null
}

/**
 * Takes the lock of migrations; waits while another session has it.
 *
 * @param notify  gets a line that names the session when it has to wait
 */
export async function lockMigrations(
  client: pg.Client,
  notify: (line: string) => void = () => undefined,
): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${key}) as locked`)
  if (rows[0]?.locked === true) return
  const [other] = (await client.query<Holder>(holder)).rows
  notify(`waiting for the lock of migrations, which ${other ? describe(other) : 'was just given back'}`)
  await client.query(`select pg_advisory_lock(${key})`)
}

function describe({ pid, role, application, address, since }: Holder): string {
  const details = [role && `role ${role}`, application, address, since && `since ${since}`]
  return `session ${pid} (${details.filter(Boolean).join(', ')}) has. If no migration runs there, end it: select pg_terminate_backend(${pid})`
}
