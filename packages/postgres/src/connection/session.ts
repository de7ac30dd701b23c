import { Unavailable } from '@quipu/core'
import { runStatement, type Session } from './run-statement.ts'
import { watchCommits } from './unconfirmed-commits.ts'

const readOnly = { text: 'show transaction_read_only' }

/**
 * Rejects a session on a server that accepts no writes, and watches the commits of any other.
 *
 * A standby answers from the log that it has replayed so far, in which the newest payouts can be missing.
 *
 * @throws Unavailable when the server is a standby or set read-only
 */
export async function openSession(client: Session, withinMs: number): Promise<void> {
  watchCommits(client)
  type Row = { readonly transaction_read_only: 'on' | 'off' }
  const [row] = await runStatement<Row>(client, readOnly, [], withinMs)
  if (row?.transaction_read_only !== 'off')
    throw new Unavailable('store', 'the server accepts no writes: it is a standby or set read-only')
}

/**
 * Waits until everything that the session has read is durable.
 *
 * A row can be visible before it is durable: while its commit waits for the standby, when that session is
 * ended, or when the server restarts meanwhile. The write-ahead log is one sequence, so an acknowledged
 * commit proves that everything before it is durable. Without synchronous standbys every visible row is
 * durable, and nothing is written.
 */
export async function confirm(client: Session, withinMs: number): Promise<void> {
  await runStatement(client, confirmation, [], withinMs)
}

const confirmation = {
  name: 'session.confirm',
  text: `
    select pg_logical_emit_message(true, 'quipu', '')
    where current_setting('synchronous_standby_names') <> ''`,
}
