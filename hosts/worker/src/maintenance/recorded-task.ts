import { type NamedLoop, namedLoop } from '@quipu/runtime'
import type { WorkerContext } from '../ports.ts'
import type { PeriodicTask } from './periodic-task.ts'

export type RecordedTask = {
  /** The loop's name, and the member `task` of its lines. */
  readonly task: string
  /** @returns counts for the line, if there are any; `idle` when there was nothing to do, which has no line */
  readonly run: () => Promise<Readonly<Record<string, unknown>> | 'idle' | void>
  readonly done: string
  readonly failed: string
  /** The level of a run that succeeded; `info` by default. */
  readonly level?: 'debug' | 'info'
  readonly haltedAfterMs?: number
}

/** A periodic task each of whose runs is recorded. */
export function recordedTask(
  { record, timing }: Pick<WorkerContext, 'record' | 'timing'>,
  periodic: PeriodicTask,
  { task, run, done, failed, level = 'info', haltedAfterMs }: RecordedTask,
): NamedLoop {
  const { timer, monotonic } = timing
  let startedAt = 0
  const loop = periodic(
    async () => {
      startedAt = monotonic()
      const counts = (await run()) ?? {}
      if (counts !== 'idle')
        record({ unit: 'task', result: 'done', startedAt, about: { task, ...counts }, message: done, level })
    },
    timer,
    (err) =>
      record({ unit: 'task', result: 'error', startedAt, about: { task, err }, message: failed, level: 'error' }),
  )
  return namedLoop(task, loop, haltedAfterMs)
}
