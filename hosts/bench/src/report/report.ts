import { perUnit, total } from './cpu.ts'
import { median, percentile, rounded } from './statistics.ts'
import type { HttpFigures } from '../scenarios/http.ts'
import { type DeliveryFigures, latencyP50 } from '../scenarios/deliveries.ts'
import type { PostgresBuild } from '../postgres/postgres-build.ts'
import { cpuRatio, type Round } from '../scenarios/round.ts'

type Numbers = Readonly<Record<string, number>>

export type Measured = {
  readonly rounds: readonly Round[]
  readonly deliveries: readonly DeliveryFigures[]
  readonly postgres: PostgresBuild
}

/**
 * The closing line: medians over the rounds, each ratio taken within its own round.
 *
 * CPU is in µs. A payout's is that of PostgreSQL, API and load generator; a delivery's that of
 * PostgreSQL, worker and receiver. What only Linux tells is NaN elsewhere.
 */
export function report(measured: Measured): Readonly<Record<string, unknown>> {
  return { ...speed(measured), ...cpu(measured), ...storage(measured), postgres: measured.postgres }
}

function speed({ rounds, deliveries }: Measured): Numbers {
  const usual = (of: (figures: DeliveryFigures) => number, digits?: number): number =>
    rounded(median(deliveries.map(of)), digits)
  const typical = typicalOf(rounds)
  const sum = (of: (round: Round) => number): number => rounds.reduce((n, r) => n + of(r), 0)
  const ratio = (of: (round: Round) => number): number =>
    typical((round) => of(round) / round.baseline.perSecond)
  return {
    baseline_tps: typical(({ baseline }) => baseline.perSecond, 0),
    sql_batched_ratio: ratio(({ sql }) => sql),
    node_ratio: ratio(({ store }) => store.perSecond),
    http_ratio: ratio(({ many }) => many.perSecond),
    http_ratio_c128: ratio(({ more }) => more.perSecond),
    http_one_tenant_ratio: ratio(({ lone }) => lone.perSecond),
    http_p50_ms_c1: typical(({ single }) => percentile(single.latenciesMs, 0.5)),
    fsyncs_per_payout: typical(({ store }) => store.fsyncsPerPayout, 3),
    http_p99_ms_c64: typical(({ many }) => percentile(many.latenciesMs, 0.99), 1),
    rss_mb: rounded(Math.max(...rounds.flatMap(({ many, lone }) => [many.rssMb, lone.rssMb])), 0),
    open_loop_per_s: typical(({ open }) => open.ratePerSecond, 0),
    open_loop_p50_ms: typical(({ open }) => percentile(open.latenciesMs, 0.5)),
    open_loop_p99_ms: typical(({ open }) => percentile(open.latenciesMs, 0.99), 1),
    open_loop_p999_ms: typical(({ open }) => percentile(open.latenciesMs, 0.999), 1),
    deliveries_ratio: usual(({ perSecond, bare }) => perSecond / bare.perSecond),
    deliveries_per_s: usual(({ perSecond }) => perSecond, 0),
    claims_per_s_50: usual(({ claimsPerSecond }) => claimsPerSecond.by50, 0),
    claims_per_s_500: usual(({ claimsPerSecond }) => claimsPerSecond.by500, 0),
    event_to_receiver_p50_ms: usual(latencyP50, 1),
    events_missed: deliveries.reduce((n, { missed }) => n + missed, 0),
    errors: sum(({ store, many, more, lone, single, withEndpoint, open }) =>
      [store, many, more, lone, single, withEndpoint, open].reduce(
        (n, { errors }) => n + errors,
        0,
      ),
    ),
  }
}

function cpu({ rounds, deliveries }: Measured): Readonly<Record<string, unknown>> {
  const typical = typicalOf(rounds)
  const perPayout = ({ usage, completed }: HttpFigures): Numbers => perUnit(usage, completed)
  return {
    cpu_ratio: typical((round) => cpuRatio(round, round.many)),
    cpu_ratio_c128: typical((round) => cpuRatio(round, round.more)),
    cpu_postgres_ratio: typical(
      ({ baseline, many }) => (perPayout(many)['postgres'] ?? NaN) / total(baseline.cpuUs),
    ),
    delivery_cpu_ratio: rounded(
      median(deliveries.map(({ cpuUs, bare }) => total(cpuUs) / total(bare.cpuUs))),
    ),
    cpu_us_per_tpcb: typicalParts(rounds.map(({ baseline }) => baseline.cpuUs)),
    cpu_us_per_payout: typicalParts(rounds.map(({ many }) => perPayout(many))),
    cpu_us_per_payout_c128: typicalParts(rounds.map(({ more }) => perPayout(more))),
    cpu_us_per_delivery: typicalParts(deliveries.map(({ cpuUs }) => cpuUs)),
    cpu_us_per_bare_request: typicalParts(deliveries.map(({ bare }) => bare.cpuUs)),
    idle_share: {
      tpcb: typical(({ baseline }) => baseline.idle),
      c64: typical(({ many }) => many.usage.idle),
      c128: typical(({ more }) => more.usage.idle),
      deliveries: rounded(median(deliveries.map(({ idle }) => idle))),
    },
  }
}

function storage({ rounds, deliveries }: Measured): Readonly<Record<string, unknown>> {
  const typical = typicalOf(rounds)
  const wal = (of: (round: Round) => HttpFigures): number =>
    typical((round) => of(round).walBytes / of(round).completed, 0)
  return {
    batch_sizes: typicalParts(
      rounds.map(({ many }) => batchSizes(many)),
      1,
    ),
    batch_sizes_c128: typicalParts(
      rounds.map(({ more }) => batchSizes(more)),
      1,
    ),
    wal_bytes_per_payout: wal(({ many }) => many),
    wal_bytes_per_payout_one_endpoint: wal(({ withEndpoint }) => withEndpoint),
    wal_bytes_per_delivery: rounded(
      median(deliveries.map(({ walBytesPerDelivery }) => walBytesPerDelivery)),
      0,
    ),
    disk_bytes_per_payout: typical(({ diskBytesPerPayout }) => diskBytesPerPayout, 0),
  }
}

/** Payouts for each statement of a name that was sent. */
const batchSizes = ({ completed, queries }: HttpFigures): Numbers =>
  Object.fromEntries(Object.entries(queries).map(([name, count]) => [name, completed / count]))

const typicalOf =
  (rounds: readonly Round[]) =>
  (of: (round: Round) => number, digits?: number): number =>
    rounded(median(rounds.map(of)), digits)

/** The median of each part. */
function typicalParts(all: readonly Numbers[], digits = 0): Numbers {
  const names = new Set(all.flatMap((parts) => Object.keys(parts)))
  const medians = Array.from(names, (name) => {
    const values = all.flatMap((parts) => parts[name] ?? [])
    return [name, rounded(median(values), digits)] as const
  })
  return Object.fromEntries(medians)
}
