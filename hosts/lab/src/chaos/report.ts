import type { ChaosViolation } from './compare.ts'
import { type FaultName, pairsOf, type PlanOptions } from './plan.ts'
import type { EpisodeReport, StepReport } from './run-episode.ts'

/** Minimum, median and maximum in milliseconds. */
export type Spread = { readonly min: number; readonly median: number; readonly max: number }

export type FaultRow = {
  readonly fault: FaultName
  /** Steps of this fault alone, and with others. */
  readonly alone: number
  readonly overlapped: number
  /** Of all its steps; null if it was in none. */
  readonly payoutMs: Spread | null
  readonly backlogMs: Spread | null
  /** Requests of tenants in these steps that got no answer, or a 5xx. */
  readonly failedRequests: number
}

export type Report = {
  readonly plan: Required<PlanOptions>
  readonly episodes: readonly EpisodeReport[]
  readonly rows: readonly FaultRow[]
  /** Number of different pairs that were injected, and of those that exist. */
  readonly pairs: number
  readonly possiblePairs: number
  readonly seconds: number
  readonly violations: readonly ChaosViolation[]
}

export function reportOf(plan: Required<PlanOptions>, episodes: readonly EpisodeReport[]): Report {
  const steps = episodes.flatMap((episode) => episode.steps)
  return {
    plan,
    episodes,
    rows: plan.faults.map((fault) => rowOf(fault, steps)),
    pairs: new Set(steps.flatMap((step) => pairsOf(step.faults))).size,
    possiblePairs: pairsOf(plan.faults).length,
    seconds: episodes.reduce((sum, episode) => sum + episode.seconds, 0),
    violations: episodes.flatMap((episode) => episode.violations),
  }
}

/** The episodes of a report of the same plan. @throws Error when it is of another one */
export function episodesIn(file: string, text: string, plan: Required<PlanOptions>): readonly EpisodeReport[] {
  const report = JSON.parse(text) as Report
  const [own, other] = [plan, report.plan].map(({ seed, overlap, faults }) => JSON.stringify({ seed, overlap, faults }))
  if (own !== other) throw new Error(`${file} is of the plan ${other}, not of ${own}.`)
  return report.episodes
}

function rowOf(fault: FaultName, steps: readonly StepReport[]): FaultRow {
  const own = steps.filter((step) => step.faults.includes(fault))
  const alone = own.filter((step) => step.faults.length === 1).length
  return {
    fault,
    alone,
    overlapped: own.length - alone,
    payoutMs: spreadOf(own.map((step) => step.payoutMs)),
    backlogMs: spreadOf(own.map((step) => step.backlogMs)),
    failedRequests: own.reduce((sum, step) => sum + step.failedRequests, 0),
  }
}

/** A step that did not recover counts as infinitely long. */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const sorted = values.map((value) => value ?? Infinity).toSorted((a, b) => a - b)
  const [min] = sorted
  const median = sorted[Math.floor((sorted.length - 1) / 2)]
  const max = sorted.at(-1)
  return min === undefined || median === undefined || max === undefined ? null : { min, median, max }
}

/** The report as a Markdown table. */
export function tableOf({ plan, rows, pairs, possiblePairs, episodes, seconds, violations }: Report): string {
  const sum = (of: (episode: EpisodeReport) => number): number =>
    episodes.reduce((total, episode) => total + of(episode), 0)
  return [
    '| Fault | Alone | With others | A payout completes after, s | No backlog after, s | Failed requests |',
    '|-|-|-|-|-|-|',
    ...rows.map(
      ({ fault, alone, overlapped, payoutMs, backlogMs, failedRequests: failed }) =>
        `| \`${fault}\` | ${alone} | ${overlapped} | ${textOf(payoutMs)} | ${textOf(backlogMs)} | ${failed} |`,
    ),
    `\`--seed ${plan.seed} --overlap ${plan.overlap} --from ${plan.from}\`: ` +
      `${episodes.length} episodes, ${seconds} s, ${sum(({ steps }) => steps.length)} steps, ` +
      `${pairs} of ${possiblePairs} pairs, ${sum(({ orders }) => orders)} orders, ` +
      `${sum(({ payments }) => payments)} payments at the network, ${sum(({ deposits }) => deposits)} deposits, ` +
      `${sum(({ events }) => events)} events, ${violations.length} violations`,
  ].join('\n')
}

const textOf = (spread: Spread | null): string =>
  spread === null ? '' : [spread.min, spread.median, spread.max].map((ms) => (ms / 1_000).toFixed(1)).join(' / ')
