import { Unavailable } from '@quipu/core'
import { ask, type Session } from './ask.ts'
import { watchCommits } from './unconfirmed-commits.ts'

const readOnly = { text: 'show transaction_read_only' }

/**
 * Checks a new session before its first use, and watches its commits from then on.
 *
 * A server in recovery answers with what it has replayed so far: a payout that was paid a second ago
 * would be unknown there.
 *
 * @throws Unavailable when the server accepts no writes
 */
export async function openSession(client: Session, withinMs: number): Promise<void> {
  watchCommits(client)
  type Row = { readonly transaction_read_only: 'on' | 'off' }
  const [row] = await ask<Row>(client, readOnly, [], withinMs)
  if (row?.transaction_read_only !== 'off')
    throw new Unavailable('store', 'the server accepts no writes: it is a standby or set read-only')
}

/**
 * Waits until all that the session has seen is as durable as the database promises.
 *
 * A row can be visible and yet be lost with the server: when a session that waited for its standby
 * was ended, or when the server crashed meanwhile and came back. The write-ahead log is one sequence,
 * so a commit that is answered with its standby proves that all before it is there too. Without
 * synchronous standbys whatever is visible is as durable as it will be, and nothing is written.
 */
export async function confirm(client: Session, withinMs: number): Promise<void> {
  await ask(client, confirmation, [], withinMs)
}

const confirmation = {
  name: 'session.confirm',
  text: `
    select pg_logical_emit_message(true, 'quipu', '')
    where current_setting('synchronous_standby_names') <> ''`,
}
