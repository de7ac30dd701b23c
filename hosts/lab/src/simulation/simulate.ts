import { OptionError } from '../run/options.ts'
import type { Report } from '../run/report.ts'
import { type Run, subjectOf } from '../run/subject.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { copyOtherRelease } from './release/other-release.ts'
import { keptOf, type Options, optionKinds, plantNamed } from './run/options.ts'
import { type Request, runOptions } from './run/options-of-runs.ts'
import { reportOf } from './run/report.ts'
import { type RunOptions, runScenario } from './run/run.ts'
import { runSeeds } from './run/run-seeds.ts'
import { type Scenario, scenarioOf } from './scenario/scenario.ts'
import { reduced, shrink } from './scenario/shrink.ts'

type Say = Run['say']

const progressEveryMs = 10_000

/** Runs many seeds, and shrinks the first one that fails. */
async function runMany(options: Options & Request, runs: RunOptions, say: Say): Promise<Report> {
  let saidAt = performance.now()
  const startedAt = saidAt
  const summary = await runSeeds(options, ({ seeds, failures }) => {
    if (performance.now() - saidAt < progressEveryMs) return
    saidAt = performance.now()
    say(`${Math.round((saidAt - startedAt) / 1_000)} s: ${seeds} seeds, ${failures.length} failed`)
  })
  const [first] = summary.failures
  if (first !== undefined) await sayShrunk(scenarioOf(first.seed), options, runs, say)
  return reportOf(summary)
}

/** Runs one seed, or a part of it. */
async function runOne(options: Options & Request, runs: RunOptions, say: Say): Promise<Report> {
  const { seed } = options
  const kept = keptOf(options)
  const whole = scenarioOf(seed)
  const scenario = kept === undefined ? whole : reduced(whole, kept)
  const { violations, trace, events } = await runScenario(scenario, runs)
  say(JSON.stringify(scenario, null, 2))
  if (violations.length > 0 && kept === undefined) await sayShrunk(whole, options, runs, say)
  return { result: { seed, events, trace: trace.slice(0, 16) }, failures: violations }
}

async function sayShrunk(
  scenario: Scenario,
  { plant, beside, network }: Options,
  runs: RunOptions,
  say: Say,
): Promise<void> {
  say(`shrinking seed ${scenario.seed} …`)
  const kept = await shrink(scenario, async (smaller) => {
    const { violations } = await runScenario(smaller, runs)
    return violations.length > 0
  })
  const { violations } = await runScenario(reduced(scenario, kept), runs)
  say(JSON.stringify(reduced(scenario, kept), null, 2))
  for (const violation of violations) say(`violation: ${violation}`)
  const part = `--actions "${kept.actions.join(',')}" --faults "${kept.faults.join(',')}"`
  const others = `--calm "${kept.calm.join(',')}" --order ${kept.order}`
  const bug = plant === undefined ? '' : ` --plant "${plant}"`
  const release = beside === undefined ? '' : ` --beside "${beside}"`
  say(`${kept.actions.length} actions and ${kept.faults.length} faults of the scenario are left`)
  say(
    `replay it: npx -y pnpm@12 simulate --network ${network} --seed ${scenario.seed} ${part} ${others}${bug}${release}`,
  )
}

/** Every process in virtual time, from one seed. */
export const subject = subjectOf(optionKinds, async (given, { say }) => {
  const options = { ...given, plant: plantNamed(given.plant) }
  keptOf(options) // Refuses options that exclude each other before a release is copied.
  const { beside, seeds, minutes } = options
  await using folder = await temporaryFolder('release')
  if (beside !== undefined) copyOtherRelease(beside, folder.path)
  const request = { ...options, folder: beside === undefined ? undefined : folder.path }
  const runs = await runOptions(request).catch((cause: unknown) => {
    throw new OptionError(`--beside ${beside}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  })
  const isOne = seeds === 1 || (seeds === undefined && minutes === undefined)
  return await (isOne ? runOne(request, runs, say) : runMany(request, runs, say))
})
