import { checkSettings } from '../check-settings.ts'
import { dayAt } from '../period/period.ts'
import type { Clock } from '../time.ts'
import { type DailyTask, type DailyTaskStore, dailyTasks as tasks } from './ports.ts'

/** A process that ends in a task leaves the day to another one after this. A task takes minutes. */
const leaseSeconds = 7_200
const retryMs = 60_000

/** The ports of `doDaily`. */
export type DoDailyPorts<T> = {
  readonly dailyTasks: DailyTaskStore
  readonly now: Clock
  /** Does the task for a UTC day, `2026-11-20`; again for the same day when its process ends, or it throws. */
  readonly run: (day: string) => Promise<T>
}

/** A day that a task was done for; `stale` when its lease had ended, and another process does it again. */
export type DoneDay<T> = { readonly day: string; readonly result: 'committed' | 'stale'; readonly done: T }

/**
 * Does a task for the next UTC day that is due, once by all processes together.
 *
 * @returns undefined when no day is due
 * @throws whatever `run` throws; the day is due again after a minute
 * @example
 * ```ts
 * const run = async (day: string) => day
 * const task = { task: 'report_check', dueSeconds: 86_400, missedDays: 30 } as const
 * const next = doDaily({ ...ports, run }, task)
 * console.log((await next())?.result, await next()) // committed undefined
 * ```
 */
export function doDaily<T>(
  { dailyTasks, now, run }: DoDailyPorts<T>,
  settings: {
    readonly task: DailyTask
    /** How long after its begin a day is due. */
    readonly dueSeconds: number
    readonly missedDays: number
  },
): () => Promise<DoneDay<T> | undefined> {
  checkSettings('doDaily', settings, { task: tasks, dueSeconds: 'number', missedDays: { min: 0, max: 366 } })
  const { task, dueSeconds, missedDays } = settings
  return async () => {
    const newest = dayAt(new Date(now().getTime() - dueSeconds * 1_000), 'UTC')
    const claimed = await dailyTasks.claim({ task, day: newest, missedDays, leaseSeconds })
    if (claimed === undefined) return undefined
    const { claim, day } = claimed
    try {
      const done = await run(day)
      return { day, result: await dailyTasks.accept(claim), done }
    } catch (error) {
      // The failure is the caller's to see; without this write the lease ends.
      await dailyTasks.retry(claim, retryMs).catch(() => undefined)
      throw error
    }
  }
}
