import { Unavailable } from '@quipu/core'
import type { StatementText } from './run-statement.ts'
import { isAnswerTimeout } from './database-error.ts'

/** Refuses new commits while earlier ones wait for a synchronous standby that does not answer. */
export type StallGuard = {
  /** Queries the database only after a statement timed out. @throws Unavailable while sessions wait */
  check(): Promise<void>
  /** Makes the next `check` query the database when the error is a time-out. */
  recordFailure(error: unknown): void
  /** Why a write that has no answer has none, as another session sees it: `no answer` when that shows nothing. */
  whySilent(): Promise<string>
}

/** A commit waits for its standby for some milliseconds; a wait of 2 s is a stall. */
const stalledSessions: StatementText = {
  name: 'stall.sessions',
  text: `
    select count(*)::int as sessions from pg_stat_activity
    where usename = current_user and wait_event = 'SyncRep'
      and state_change < clock_timestamp() - interval '2 s'`,
}

type Row = { readonly sessions: number }

/**
 * The session of a commit that timed out goes on waiting for its standby, and must not be ended. Each further
 * commit would wait behind it in another session, until every connection of the database is taken.
 *
 * @param run runs a statement that only reads
 */
export function stallGuard(run: (statement: StatementText) => Promise<Row[]>): StallGuard {
  let isSuspected = false
  const check = async (): Promise<void> => {
    if (!isSuspected) return
    const [row] = await run(stalledSessions)
    if (row === undefined || row.sessions > 0)
      throw new Unavailable(
        'store',
        'commits wait for a standby that does not answer; writes are refused until it does',
      )
    isSuspected = false
  }
  return {
    check,
    recordFailure: (error) => {
      if (isAnswerTimeout(error)) isSuspected = true
    },
    whySilent: () => {
      isSuspected = true
      return check().then(() => 'no answer', String)
    },
  }
}
