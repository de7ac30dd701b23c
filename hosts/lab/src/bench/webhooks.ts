import { whole } from '../run/options.ts'
import { mustBeZero } from '../run/report.ts'
import { subjectOf } from '../run/subject.ts'
import { withBenchDatabase } from './postgres/bench-database.ts'
import { percentile, rounded } from './report/statistics.ts'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { runWebhookLoad } from './load/webhook-load.ts'

const bad = ['dead', 'broken', 'slow', 'drip', 'endless', 'hang']

/**
 * The same load twice: with receivers that all answer, and with some that do not. Each event must arrive at every
 * receiver that answers, and the others must not delay it.
 */
export const subject = subjectOf(
  {
    events: whole('events, twice', { from: 1, otherwise: 50_000 }),
    rate: whole('events a second', { from: 1, otherwise: 600 }),
  },
  ({ events, rate }, { say }) =>
    withBenchDatabase(async ({ url, db }) => {
      const plan = { tenants: 200, endpoints: 300, events, eventsPerSecond: rate }
      const tenants = await makeTenants(db, plan.tenants)
      say(`sending ${events} events; every receiver answers …`)
      const healthy = await runWebhookLoad(db, url, tenants, { ...plan, bad: [] })
      say(`sending ${events} events; one receiver in ten does not answer …`)
      const mixed = await runWebhookLoad(db, url, tenants, { ...plan, bad })
      const p99 = (latenciesMs: readonly number[]): number => rounded(percentile(latenciesMs, 0.99), 1)
      const result = {
        events,
        deliveries: healthy.expected + mixed.expected,
        missed: healthy.missed + mixed.missed,
        p50_ms: rounded(percentile(healthy.latenciesMs, 0.5), 1),
        p99_ms: p99(healthy.latenciesMs),
        p99_ms_with_failing_receivers: p99(mixed.latenciesMs),
        p99_ratio: rounded(p99(mixed.latenciesMs) / p99(healthy.latenciesMs)),
      }
      return { result, failures: mustBeZero(result, ['missed']) }
    }),
)
