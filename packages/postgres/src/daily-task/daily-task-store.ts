import type { DailyTaskStore } from '@quipu/core/operator'
import { isDone } from '../claim-answer.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'

// Decided by migrations/0047-daily-tasks.sql.

const claimDailyTask = statement('claim_daily_task')`
  select claimed_day, fencing_token, failed_attempts from quipu.claim_daily_task($1, $2, $3, $4, $5)`

const acceptDailyTask = statement('accept_daily_task')`select quipu.accept_daily_task($1, $2, $3) as done`

const retryDailyTask = statement('retry_daily_task')`select quipu.retry_daily_task($1, $2, $3, $4) as done`

type ClaimRow = { readonly claimed_day: string; readonly fencing_token: bigint; readonly failed_attempts: number }

/** The tasks of each day in PostgreSQL. */
export function postgresDailyTaskStore(database: Database): DailyTaskStore {
  const done = async (statement: Statement, ...values: readonly unknown[]) =>
    (await isDone(database.write, statement, [...values, database.clockOverride()])) ? 'committed' : 'stale'
  return {
    claim: async ({ task, day, missedDays, leaseSeconds }) => {
      const values = [task, day, missedDays, leaseSeconds, database.clockOverride()]
      const [row] = await database.write<ClaimRow>(claimDailyTask, values)
      if (!row) return undefined
      const claim = { task, fencingToken: Number(row.fencing_token) }
      return { claim, day: row.claimed_day, failedAttempts: row.failed_attempts }
    },
    accept: ({ task, fencingToken }) => done(acceptDailyTask, task, fencingToken),
    retry: ({ task, fencingToken }, inMs) => done(retryDailyTask, task, fencingToken, inMs / 1_000),
  }
}
