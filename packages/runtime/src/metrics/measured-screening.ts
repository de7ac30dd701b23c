import { type Screening, type ScreeningAnswer, Unavailable } from '@quipu/core'
import { screeningKinds } from '@quipu/core/operator'
import type { Metrics } from './metrics.ts'
import { callBuckets } from './timed-calls.ts'

/** Records each answer of screening, by kind and outcome. A local list still answers at once. */
export function measuredScreening(metrics: Metrics, screening: Screening): Screening {
  const record = metrics.histogram<'kind' | 'result'>({
    name: 'quipu_screening_duration_seconds',
    help: 'Duration of screening, by kind of subject and result.',
    labels: ['kind', 'result'],
    buckets: callBuckets,
    known: screeningKinds.flatMap((kind) => ['clear', 'listed', 'unanswered'].map((result) => ({ kind, result }))),
  })
  const { name, isLocal } = screening
  return {
    name,
    isLocal,
    screen: (subject) => {
      const startedAt = performance.now()
      const end = (result: string): void =>
        record({ kind: subject.kind, result }, (performance.now() - startedAt) / 1_000)
      const ended = (answer: ScreeningAnswer): ScreeningAnswer => {
        end(answer.outcome)
        return answer
      }
      const failed = (error: unknown): never => {
        end(error instanceof Unavailable ? 'unanswered' : 'error')
        throw error
      }
      try {
        const answer = screening.screen(subject)
        return answer instanceof Promise ? answer.then(ended, failed) : ended(answer)
      } catch (error) {
        return failed(error)
      }
    },
  }
}
