import { Unavailable } from '@quipu/core'
import type { Question } from './ask.ts'
import { isAnswerTimeout } from './database-error.ts'

/** Refuses commits while earlier ones wait for a standby that does not answer. */
export type StallGuard = {
  /** @throws Unavailable while sessions wait. Asks the database only after a time-out. */
  check(): Promise<void>
  /** Takes note of how a statement has failed. */
  note(error: unknown): void
}

/** A wait for a standby takes milliseconds. One of seconds is a stall. */
const stalledSessions: Question = {
  name: 'stall.sessions',
  text: `
    select count(*)::int as sessions from pg_stat_activity
    where usename = current_user and wait_event = 'SyncRep'
      and state_change < clock_timestamp() - interval '2 s'`,
}

type Row = { readonly sessions: number }

/**
 * The session of a commit that timed out goes on waiting for its standby, and must not be ended. Another
 * commit would only wait behind it, in a session more: in some minutes every connection of the
 * database would be taken.
 *
 * @param ask  runs the statement, which commits nothing
 */
export function stallGuard(ask: (question: Question) => Promise<Row[]>): StallGuard {
  let isSuspected = false
  return {
    check: async () => {
      if (!isSuspected) return
      const [row] = await ask(stalledSessions)
      if (row === undefined || row.sessions > 0)
        throw new Unavailable('store', 'commits wait for a standby that does not answer')
      isSuspected = false
    },
    note: (error) => {
      if (isAnswerTimeout(error)) isSuspected = true
    },
  }
}
