import { type ProcessStore, processPrograms, rollOf } from '@quipu/core/operator'
import type { Metrics } from './metrics.ts'

/** Metrics of all processes: every process exposes the same values, none during an outage. */
export function processesMetrics(metrics: Metrics, processes: Pick<ProcessStore, 'list'>, goneSeconds: number): void {
  type Roll = ReturnType<typeof rollOf>
  const gauge = (
    name: string,
    help: string,
    value: (roll: Roll, program: (typeof processPrograms)[number]) => number,
  ): void =>
    metrics.observed({ name, help, labels: ['program'] }, async () => {
      const found = await processes.list().catch(() => undefined)
      if (!found) return []
      const roll = rollOf(found, goneSeconds)
      return processPrograms.map((program) => [{ program }, value(roll, program)] as const)
    })
  gauge(
    'quipu_processes',
    'Processes that run, by program.',
    ({ running }, wanted) => running.filter(({ program }) => program === wanted).length,
  )
  gauge(
    'quipu_processes_missing',
    'Missing processes, by program; must be 0.',
    ({ missing }, wanted) => missing.filter(({ program }) => program === wanted).length,
  )
  gauge(
    'quipu_clock_apart_seconds',
    'The largest difference of a process’s clock from the database’s, by program.',
    ({ running }, wanted) =>
      Math.max(
        0,
        ...running.filter(({ program }) => program === wanted).map(({ aheadMs }) => Math.abs(aheadMs) / 1000),
      ),
  )
}
