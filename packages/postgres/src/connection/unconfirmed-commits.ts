import { Unavailable } from '@quipu/core'
import type pg from 'pg'

/**
 * The routine of PostgreSQL that emits the warning "canceling wait for synchronous replication": the
 * statement was cancelled, and its commit is acknowledged although no standby has it. PostgreSQL translates
 * the text of the warning, but not the name of the routine.
 */
const cancelledWait = 'SyncRepWaitForLSN'

const sessions = new WeakSet<pg.Client | pg.PoolClient>()

/** Marks the session when one of its commits is acknowledged without its standby. */
export function watchCommits(client: pg.Client | pg.PoolClient): void {
  client.on('notice', ({ routine }) => {
    if (routine === cancelledWait) sessions.add(client)
  })
}

/** Whether a commit of this session was acknowledged without its standby. */
export const hasUnconfirmedCommit = (client: pg.Client | pg.PoolClient): boolean => sessions.has(client)

/** The error of such a commit: its rows are visible, and a failover can lose them. */
export const unconfirmedCommit = (): Unavailable =>
  new Unavailable(
    'store',
    'the wait for replication was cancelled: a failover can lose the commit; the same request is safe',
  )
