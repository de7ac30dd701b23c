import { Unavailable } from '@quipu/core'
import { runStatement, type Session, type StatementText } from './run-statement.ts'
import { watchCommits } from './unconfirmed-commits.ts'

/**
 * A connection does not give the session that the stores need: a setting is another one, or statements run in the
 * sessions of others. It stays so until the pooler, the role or the server is changed.
 */
export class UnfitSession extends Error {
  override readonly name = 'UnfitSession'
}

/** The settings that a session asks for, as `pg_settings` shows them: times in milliseconds. */
export type AskedSettings = Readonly<Record<string, string>>

/** Blanks do not count: PostgreSQL adds them to some lists. */
const sessionState = {
  text: `
    select pg_backend_pid() as pid, current_setting('transaction_read_only') as transaction_read_only,
      (select string_agg(format('%s is %s, not %s', a.name, coalesce(s.setting, 'unknown'), a.value), ', ')
        from unnest($1::text[], $2::text[]) a (name, value) left join pg_settings s on lower(s.name) = a.name
        where replace(s.setting, ' ', '') is distinct from replace(a.value, ' ', '')) as differing`,
}

type State = { readonly pid: number; readonly transaction_read_only: 'on' | 'off'; readonly differing: string | null }

/** The server's session behind each connection when it was opened. */
const serverPids = new WeakMap<Session, number>()

/**
 * Rejects a session on a server that accepts no writes, or without a setting that it asked for, and watches the
 * commits of any other.
 *
 * A standby answers from the log that it has replayed so far, in which the newest payouts can be missing. A pooler
 * can drop the settings with which a connection starts, and a commit that is answered would then not be durable.
 *
 * @param role  a standby that only reads may be one
 * @throws Unavailable when the server is a standby or set read-only; with the cause `UnfitSession` when a setting differs
 */
export async function openSession(
  client: Session,
  wanted: AskedSettings,
  withinMs: number,
  role: 'primary' | 'standby' = 'primary',
): Promise<void> {
  watchCommits(client)
  const values = [Object.keys(wanted), Object.values(wanted)]
  const [state] = await runStatement<State>(client, sessionState, values, withinMs)
  if (role === 'primary' && state?.transaction_read_only !== 'off')
    throw new Unavailable('store', 'the server accepts no writes: it is a standby or set read-only')
  if (state === undefined) throw new Error('a new session returned no row')
  if (state.differing !== null) throw unfit(`${state.differing}. ${settingsAdvice}`)
  serverPids.set(client, state.pid)
}

const settingsAdvice =
  'A pooler drops the settings that a connection starts with, or the server overrides them: ' +
  'connect to PostgreSQL directly, or set them on the role with `quipu-admin role create`.'

const unfit = (reason: string): Unavailable => {
  const cause = new UnfitSession(`the session is not fit for payments: ${reason}`)
  return new Unavailable('store', cause.message, { cause })
}

/**
 * Waits until everything that the session has read is durable.
 *
 * A row can be visible before it is durable: while its commit waits for the standby, when that session is
 * ended, or when the server restarts meanwhile. The write-ahead log is one sequence, so an acknowledged
 * commit proves that everything before it is durable. Without synchronous standbys every visible row is
 * durable, and nothing is written.
 *
 * @param run runs the confirming statement in the session
 * @throws Unavailable with the cause `UnfitSession` when a pooler has answered from another session, which proves nothing
 */
export async function confirm(
  client: Session,
  run: (statement: StatementText) => Promise<Pick<State, 'pid'>[]>,
): Promise<void> {
  const [row] = await run(confirmation)
  if (row?.pid !== serverPids.get(client)) throw unfit(sharedSession)
}

/** Why a connection is refused whose statements run in several sessions. */
export const sharedSession: string =
  'a pooler runs its statements in the sessions of others. Set its pool_mode to `session`, or connect to ' +
  'PostgreSQL directly.'

const confirmation: StatementText = {
  name: 'session.confirm',
  text: `
    select pg_backend_pid() as pid, case when current_setting('synchronous_standby_names') <> ''
      then pg_logical_emit_message(true, 'quipu', '') end as position`,
}
