import { doDaily } from '@quipu/core/operator'
import type { NamedLoop } from '@quipu/runtime'
import type { WorkerContext, WorkerStores } from '../ports.ts'
import { daily, passHaltedAfterMs } from './periodic-task.ts'
import { type RecordedTask, recordedTask } from './recorded-task.ts'

/** A task that one worker of the installation does once a UTC day. */
export function dailyTask(
  context: Pick<WorkerContext, 'record' | 'timing' | 'now'>,
  { dailyTasks }: Pick<WorkerStores, 'dailyTasks'>,
  run: (day: string) => Promise<Readonly<Record<string, unknown>>>,
  { task, done, failed, ...settings }: Parameters<typeof doDaily>[1] & Pick<RecordedTask, 'done' | 'failed'>,
): NamedLoop {
  const next = doDaily({ dailyTasks, now: context.now, run }, { task, ...settings })
  return recordedTask(context, daily, {
    task,
    run: async () => {
      const ended = await next()
      return ended === undefined ? 'idle' : { day: ended.day, ...ended.done }
    },
    done,
    failed,
    haltedAfterMs: passHaltedAfterMs,
  })
}
