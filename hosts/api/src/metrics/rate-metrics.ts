import type { Clock, RateSource } from '@quipu/core'
import { ratesNow, type RatesNow } from '@quipu/core/operator'
import type { Metrics } from '@quipu/runtime'

/** Metrics of the sources of the rate, as this process reads them. */
export function rateMetrics(metrics: Metrics, rates: RateSource, now: Clock): void {
  type Values = readonly (readonly [Record<string, string>, number])[]
  const gauge = (
    options: { readonly name: string; readonly help: string; readonly labels?: string[] },
    values: (found: RatesNow) => Values,
  ): void => metrics.observed(options, async () => values(await ratesNow(rates)))

  gauge({ name: 'quipu_rate_available', help: 'Whether there is a rate; must be 1.' }, ({ rate }) => [
    [{}, Number(rate !== null)],
  ])
  gauge(
    {
      name: 'quipu_rate_source_usable',
      help: 'Whether a quote can use the source: it answers, fresh and valid; must be 1.',
      labels: ['source'],
    },
    ({ report }) => report.sources.map(({ name, problem }) => [{ source: name }, Number(problem === null)]),
  )
  gauge(
    {
      name: 'quipu_rate_source_age_seconds',
      help: 'Age of the source’s newest reading by its own time.',
      labels: ['source'],
    },
    ({ report }) =>
      report.sources.flatMap(({ name, reading }) =>
        reading ? [[{ source: name }, (now().getTime() - reading.observedAt.getTime()) / 1000] as const] : [],
      ),
  )
  gauge(
    { name: 'quipu_rate_spread_bps', help: 'The highest usable bid above the lowest, in basis points.' },
    ({ report: { agreement } }) => (agreement ? [[{}, agreement.spreadBps]] : []),
  )
}
