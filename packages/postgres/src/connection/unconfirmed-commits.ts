import { Unavailable } from '@quipu/core'
import type pg from 'pg'

/**
 * The routine of PostgreSQL that warns of a commit which no longer waits for its standby, because
 * somebody cancelled the statement. The commit is answered as if it were replicated. PostgreSQL
 * translates the text of the warning, and not the name of the routine.
 */
const cancelledWait = 'SyncRepWaitForLSN'

const sessions = new WeakSet<pg.Client | pg.PoolClient>()

/** Watches a session for commits that are answered without their standby. */
export function watchCommits(client: pg.Client | pg.PoolClient): void {
  client.on('notice', ({ routine }) => {
    if (routine === cancelledWait) sessions.add(client)
  })
}

/** Whether a commit of this session was answered without its standby. */
export const hasUnconfirmedCommit = (client: pg.Client | pg.PoolClient): boolean =>
  sessions.has(client)

/** What such a commit comes to: it is in the database, and may be lost with the server. */
export const unconfirmedCommit = (): Unavailable =>
  new Unavailable('store', 'the wait for replication was cancelled: the commit may be lost')
