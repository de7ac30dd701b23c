import type { Report } from '../../run/report.ts'
import type { RunResult } from './run.ts'

/** Everything that seeds have reached, and those that failed. */
export type Summary = {
  seeds: number
  events: number
  readonly counts: Map<string, number>
  /** The lowest seed that reached it, by the same names. */
  readonly firstSeeds: Map<string, number>
  readonly failures: { readonly seed: number; readonly violations: readonly string[] }[]
}

/** The result of a seed, as threads send it. */
export type SeedReport = {
  readonly seed: number
  readonly violations: readonly string[]
  readonly events: number
  readonly counts: readonly (readonly [name: string, count: number])[]
}

export const newSummary = (): Summary => ({
  seeds: 0,
  events: 0,
  counts: new Map(),
  firstSeeds: new Map(),
  failures: [],
})

export const seedReport = ({ scenario, violations, events, statistics }: RunResult): SeedReport => ({
  seed: scenario.seed,
  violations,
  events,
  counts: [...statistics.counts],
})

export function addReport(summary: Summary, { seed, violations, events, counts }: SeedReport): void {
  summary.seeds += 1
  summary.events += events
  for (const [name, count] of counts) {
    summary.counts.set(name, (summary.counts.get(name) ?? 0) + count)
    summary.firstSeeds.set(name, Math.min(seed, summary.firstSeeds.get(name) ?? seed))
  }
  if (violations.length > 0) summary.failures.push({ seed, violations })
}

const groups = [
  'payout',
  'decision',
  'deposit',
  'sweep',
  'delivery',
  'endpoint',
  'answer',
  'process',
  'fault',
  'database',
  'call',
] as const

/** The states that were reached, how often, and at which seed first. */
export function reportOf({ seeds, events, counts, firstSeeds, failures }: Summary): Report {
  const named = (group: string): readonly (readonly [string, number])[] =>
    Array.from(counts)
      .filter(([name]) => name.startsWith(`${group} `))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const rows = groups.flatMap(named).map(([name, count]) => [name, count, firstSeeds.get(name) ?? 0])
  return {
    result: { seeds, events, failed: failures.length, pairs_of_faults: named('pair').length },
    failures: failures.map(({ seed, violations }) => `seed ${seed}: ${violations[0]}`),
    tables: [{ columns: ['Reached', 'Times', 'First seed'], rows }],
  }
}
