import { Unavailable } from '@quipu/core'
import type { Labelled, Metrics, MetricOptions } from './metrics.ts'

/** Seconds of calls to other systems, up to the longest deadline. */
export const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60]

/** Runs a call and records how long it took and how it ended. */
export type TimeCall<Label extends string> = <T>(
  labels: Labelled<Label>,
  call: () => Promise<T>,
  /** Names the answer; one of a few words. Left out: `ok`. */
  resultOf?: (answer: T) => string,
) => Promise<T>

/** A histogram of calls whose label `result` is `unavailable`, `error`, or what `resultOf` says. */
export function timedCalls<Label extends string>(
  metrics: Metrics,
  { labels = [], ...options }: MetricOptions<Label> & { readonly known?: readonly Labelled<Label | 'result'>[] },
): TimeCall<Label> {
  const record = metrics.histogram<Label | 'result'>({
    ...options,
    labels: [...labels, 'result'],
    buckets: callBuckets,
  })
  return async (of, call, resultOf = () => 'ok') => {
    const startedAt = performance.now()
    const end = (result: string): void => record({ ...of, result }, (performance.now() - startedAt) / 1000)
    try {
      const answer = await call()
      end(resultOf(answer))
      return answer
    } catch (error) {
      end(error instanceof Unavailable ? 'unavailable' : 'error')
      throw error
    }
  }
}
