import { perUnit, total } from './report/cpu.ts'
import { median, percentile, rounded } from './report/statistics.ts'
import type { HttpResult } from './scenarios/http.ts'
import { type DeliveryResult, latencyP50 } from './scenarios/deliveries.ts'
import type { PostgresBuild } from './postgres/postgres-build.ts'
import { cpuRatio, type Round } from './scenarios/round.ts'

type Numbers = Readonly<Record<string, number>>

export type Measured = {
  readonly rounds: readonly Round[]
  readonly deliveries: readonly DeliveryResult[]
  readonly postgres: PostgresBuild
}

/**
 * The result as one object: medians over the rounds, and each ratio within its own round.
 *
 * CPU time is in µs: of a payout in PostgreSQL, API and load generator, of a delivery in PostgreSQL, worker
 * and receiver. It is NaN where it is not measured, and null in JSON.
 */
export function report(measured: Measured): Readonly<Record<string, unknown>> {
  return { ...throughputAndLatency(measured), ...cpu(measured), ...storage(measured), postgres: measured.postgres }
}

function throughputAndLatency({ rounds, deliveries }: Measured): Numbers {
  const usual = (of: (result: DeliveryResult) => number, digits?: number): number =>
    rounded(median(deliveries.map(of)), digits)
  const typical = typicalOf(rounds)
  const sum = (of: (round: Round) => number): number => rounds.reduce((n, r) => n + of(r), 0)
  const ratio = (of: (round: Round) => number): number => typical((round) => of(round) / round.baseline.perSecond)
  return {
    baseline_tps: typical(({ baseline }) => baseline.perSecond, 0),
    http_ratio: ratio(({ http64 }) => http64.perSecond),
    http_ratio_c128: ratio(({ http128 }) => http128.perSecond),
    http_p50_ms_c1: typical(({ oneConnection }) => percentile(oneConnection.latenciesMs, 0.5)),
    http_p99_ms_c64: typical(({ http64 }) => percentile(http64.latenciesMs, 0.99), 1),
    rss_mb: rounded(Math.max(...rounds.map(({ http64 }) => http64.rssMb)), 0),
    open_loop_per_s: typical(({ openLoop }) => openLoop.ratePerSecond, 0),
    open_loop_p50_ms: typical(({ openLoop }) => percentile(openLoop.latenciesMs, 0.5)),
    open_loop_p99_ms: typical(({ openLoop }) => percentile(openLoop.latenciesMs, 0.99), 1),
    open_loop_p999_ms: typical(({ openLoop }) => percentile(openLoop.latenciesMs, 0.999), 1),
    deliveries_ratio: usual(({ perSecond, bare }) => perSecond / bare.perSecond),
    deliveries_per_s: usual(({ perSecond }) => perSecond, 0),
    event_to_receiver_p50_ms: usual(latencyP50, 1),
    events_missed: deliveries.reduce((n, { missed }) => n + missed, 0),
    errors: sum(({ http64, http128, oneConnection, oneEndpoint, openLoop }) =>
      [http64, http128, oneConnection, oneEndpoint, openLoop].reduce((n, { errors }) => n + errors, 0),
    ),
  }
}

function cpu({ rounds, deliveries }: Measured): Readonly<Record<string, unknown>> {
  const typical = typicalOf(rounds)
  const perPayout = ({ usage, completed }: HttpResult): Numbers => perUnit(usage, completed)
  return {
    cpu_ratio: typical((round) => cpuRatio(round, round.http64)),
    cpu_ratio_c128: typical((round) => cpuRatio(round, round.http128)),
    cpu_postgres_ratio: typical(
      ({ baseline, http64 }) => (perPayout(http64)['postgres'] ?? NaN) / total(baseline.cpuUs),
    ),
    delivery_cpu_ratio: rounded(median(deliveries.map(({ cpuUs, bare }) => total(cpuUs) / total(bare.cpuUs)))),
    cpu_us_per_tpcb: typicalParts(rounds.map(({ baseline }) => baseline.cpuUs)),
    cpu_us_per_payout: typicalParts(rounds.map(({ http64 }) => perPayout(http64))),
    cpu_us_per_payout_c128: typicalParts(rounds.map(({ http128 }) => perPayout(http128))),
    cpu_us_per_delivery: typicalParts(deliveries.map(({ cpuUs }) => cpuUs)),
    cpu_us_per_bare_request: typicalParts(deliveries.map(({ bare }) => bare.cpuUs)),
    idle_share: {
      tpcb: typical(({ baseline }) => baseline.idle),
      c64: typical(({ http64 }) => http64.usage.idle),
      c128: typical(({ http128 }) => http128.usage.idle),
      deliveries: rounded(median(deliveries.map(({ idle }) => idle))),
    },
  }
}

function storage({ rounds, deliveries }: Measured): Readonly<Record<string, unknown>> {
  const typical = typicalOf(rounds)
  const wal = (of: (round: Round) => HttpResult): number =>
    typical((round) => of(round).walBytes / of(round).completed, 0)
  return {
    batch_sizes: typicalParts(
      rounds.map(({ http64 }) => batchSizes(http64)),
      1,
    ),
    batch_sizes_c128: typicalParts(
      rounds.map(({ http128 }) => batchSizes(http128)),
      1,
    ),
    wal_bytes_per_payout: wal(({ http64 }) => http64),
    wal_bytes_per_payout_one_endpoint: wal(({ oneEndpoint }) => oneEndpoint),
    wal_bytes_per_delivery: rounded(median(deliveries.map(({ walBytesPerDelivery }) => walBytesPerDelivery)), 0),
    disk_bytes_per_payout: typical(({ diskBytesPerPayout }) => diskBytesPerPayout, 0),
  }
}

/** Payouts for each execution of a statement, by its name. */
const batchSizes = ({ completed, queries }: HttpResult): Numbers =>
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
