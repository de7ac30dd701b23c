import { OptionError } from '../run/options.ts'
import type { Report } from '../run/report.ts'
import { type FaultName, pairsOf, type PlanOptions } from './plan.ts'
import type { EpisodeReport, StepReport } from './run-episode.ts'

/** Minimum, median and maximum in milliseconds. */
export type Spread = { readonly min: number; readonly median: number; readonly max: number }

type Plan = Required<PlanOptions>

/** A row for each fault: steps alone and with others, recovery, and requests that got no answer or a 5xx. */
export function reportOf(plan: Plan, episodes: readonly EpisodeReport[]): Report {
  const steps = episodes.flatMap((episode) => episode.steps)
  const sum = (of: (episode: EpisodeReport) => number): number =>
    episodes.reduce((total, episode) => total + of(episode), 0)
  const columns = [
    'Fault',
    'Alone',
    'With others',
    'Without payouts, s',
    'A payout completes after, s',
    'No backlog after, s',
    'Failed requests',
  ]
  return {
    result: {
      episodes: episodes.length,
      seconds: sum(({ seconds }) => seconds),
      steps: steps.length,
      pairs: new Set(steps.flatMap((step) => pairsOf(step.faults))).size,
      possible_pairs: pairsOf(plan.faults).length,
      orders: sum(({ orders }) => orders),
      payments: sum(({ payments }) => payments),
      settled_by_people: sum(({ settledByPeople }) => settledByPeople),
      returned: sum(({ returned }) => returned),
      deposits: sum(({ deposits }) => deposits),
      sends: sum(({ sends }) => sends),
      events: sum(({ events }) => events),
      promotions: sum(({ promotions }) => promotions),
    },
    failures: episodes.flatMap(({ seed, violations }) =>
      violations.map(({ kind, detail }) => `episode ${seed}: ${kind}: ${detail}`),
    ),
    tables: [{ columns, rows: plan.faults.map((fault) => rowOf(fault, steps)) }],
    details: { plan, episodes },
  }
}

/** The episodes of a report of the same plan. @throws OptionError when it is of another one */
export function episodesIn(file: string, text: string, plan: Plan): readonly EpisodeReport[] {
  const { details } = JSON.parse(text) as { details: { plan: Plan; episodes: readonly EpisodeReport[] } }
  const [own, other] = [plan, details.plan].map(({ seed, overlap, faults }) =>
    JSON.stringify({ seed, overlap, faults }),
  )
  if (own !== other) throw new OptionError(`${file} is of the plan ${other}, not of ${own}.`)
  return details.episodes
}

function rowOf(fault: FaultName, steps: readonly StepReport[]): readonly (string | number)[] {
  const own = steps.filter((step) => step.faults.includes(fault))
  const alone = own.filter((step) => step.faults.length === 1).length
  const spread = (name: 'stoppedMs' | 'payoutMs' | 'backlogMs'): string =>
    secondsOf(spreadOf(own.map((step) => step[name])))
  const failed = own.reduce((sum, step) => sum + step.failedRequests, 0)
  return [fault, alone, own.length - alone, spread('stoppedMs'), spread('payoutMs'), spread('backlogMs'), failed]
}

/** A step that did not recover counts as infinitely long. */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const sorted = values.map((value) => value ?? Infinity).toSorted((a, b) => a - b)
  const [min] = sorted
  const median = sorted[Math.floor((sorted.length - 1) / 2)]
  const max = sorted.at(-1)
  return min === undefined || median === undefined || max === undefined ? null : { min, median, max }
}

const secondsOf = (spread: Spread | null): string =>
  spread === null ? '' : [spread.min, spread.median, spread.max].map((ms) => (ms / 1_000).toFixed(1)).join(' / ')
