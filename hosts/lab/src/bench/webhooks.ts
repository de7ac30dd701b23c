import { withBenchDatabase } from './postgres/bench-database.ts'
import { percentile, rounded } from './report/statistics.ts'
import { makeTenants } from './data/tenants-and-quotes.ts'
import { runWebhookLoad } from './load/webhook-load.ts'

// The same load twice: with receivers that all answer, and with some that do not. Each event must arrive at
// every receiver that answers, and the others must not delay it.

const plan = {
  tenants: 200,
  endpoints: 300,
  events: Number(process.env['BENCH_EVENTS'] ?? 50_000),
  eventsPerSecond: Number(process.env['BENCH_EVENTS_PER_SECOND'] ?? 600),
}
await withBenchDatabase(async ({ url, db }) => {
  const tenants = await makeTenants(db, plan.tenants)
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  say(`sending ${plan.events} events; every receiver answers …`)
  const healthy = await runWebhookLoad(db, url, tenants, { ...plan, bad: [] })
  say(`sending ${plan.events} events; one receiver in ten does not answer …`)
  const bad = ['dead', 'broken', 'slow', 'drip', 'endless', 'hang']
  const mixed = await runWebhookLoad(db, url, tenants, { ...plan, bad })
  const p99 = (latenciesMs: readonly number[]): number => rounded(percentile(latenciesMs, 0.99), 1)
  const result = {
    events: plan.events,
    deliveries: healthy.expected + mixed.expected,
    missed: healthy.missed + mixed.missed,
    p50_ms: rounded(percentile(healthy.latenciesMs, 0.5), 1),
    p99_ms: p99(healthy.latenciesMs),
    p99_ms_with_failing_receivers: p99(mixed.latenciesMs),
    p99_ratio: rounded(p99(mixed.latenciesMs) / p99(healthy.latenciesMs)),
  }
  say(JSON.stringify(result))
})
