import { haltedLoops, type NamedLoop } from '../process/named-loop.ts'
import type { Metrics } from './metrics.ts'

/** Metrics of the loops of this process. @param loops  those that have started */
export function loopMetrics(metrics: Metrics, loops: () => readonly NamedLoop[]): void {
  metrics.observedCounter(
    { name: 'quipu_loop_polls_total', help: 'Polls that have ended, by loop.', labels: ['loop'] },
    async () => loops().map(({ name, activity }) => [{ loop: name }, activity().polls] as const),
  )
  metrics.observed(
    {
      name: 'quipu_loop_poll_running_seconds',
      help: 'For how long the poll under way has run, by loop; 0 between two polls.',
      labels: ['loop'],
    },
    async () => loops().map(({ name, activity }) => [{ loop: name }, activity().pollingMs / 1000] as const),
  )
  metrics.observed(
    {
      name: 'quipu_loop_halted',
      help: 'Whether the poll under way has run for so long that the loop counts as halted, by loop; must be 0.',
      labels: ['loop'],
    },
    async () => loops().map((loop) => [{ loop: loop.name }, Number(haltedLoops([loop]).length > 0)] as const),
  )
}
