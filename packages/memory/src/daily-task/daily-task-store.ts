import type { DailyTaskClaim, DailyTaskStore } from '@quipu/core/operator'
import { type Database, secondsAfter } from '../table/database.ts'
import { type DailyTaskRow, newDailyTask } from '../table/daily-task-table.ts'

const dayMs = 86_400_000
const later = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

export const memoryDailyTaskStore = (database: Database): DailyTaskStore => {
  const end = ({ task, fencingToken }: DailyTaskClaim, change: (row: DailyTaskRow) => Partial<DailyTaskRow>) => {
    const row = database.dailyTasks.get(task)
    if (row?.fencingToken !== fencingToken || row.claimedDay === null) return 'stale'
    Object.assign(row, change(row), { claimedDay: null })
    return 'committed'
  }
  return {
    claim: async ({ task, day: newest, missedDays, leaseSeconds }) => {
      const row = database.dailyTasks.get(task) ?? newDailyTask()
      database.dailyTasks.set(task, row)
      const now = database.now()
      if (row.dueAt > now || (row.day !== null && row.day >= newest)) return undefined
      const first = later(newest, -missedDays)
      const next = row.day === null ? newest : later(row.day, 1)
      const day = next < first ? first : next
      Object.assign(row, { dueAt: secondsAfter(now, leaseSeconds), claimedDay: day })
      return { claim: { task, fencingToken: ++row.fencingToken }, day, failedAttempts: row.failedAttempts }
    },
    accept: async (claim) =>
      end(claim, ({ claimedDay: day }) => ({ day, acceptedAt: database.now(), dueAt: new Date(0), failedAttempts: 0 })),
    retry: async (claim, inMs) =>
      end(claim, ({ failedAttempts }) => ({
        dueAt: secondsAfter(database.now(), inMs / 1_000),
        failedAttempts: failedAttempts + 1,
      })),
  }
}
