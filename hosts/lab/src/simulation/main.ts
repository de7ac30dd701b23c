import { rmSync } from 'node:fs'
import { copyRelease } from './release/other-release.ts'
import { type Options, readOptions, usage } from './run/options.ts'
import { summaryLines } from './run/report.ts'
import { type RunOptions, runScenario } from './run/run.ts'
import { runSeeds } from './run/run-seeds.ts'
import { type Request, runOptions } from './run/options-of-runs.ts'
import { type Scenario, scenarioOf } from './scenario/scenario.ts'
import { reduced, shrink } from './scenario/shrink.ts'

type Asked = Options & Request

const progressEveryMs = 10_000

/** Runs many seeds, and shrinks the first one that fails. @returns whether all passed */
async function runMany(options: Asked, runs: RunOptions): Promise<boolean> {
  let printedAt = performance.now()
  const startedAt = printedAt
  const summary = await runSeeds(options, ({ seeds, failures }) => {
    if (performance.now() - printedAt < progressEveryMs) return
    printedAt = performance.now()
    const seconds = Math.round((printedAt - startedAt) / 1_000)
    console.log(`${seconds} s: ${seeds} seeds, ${failures.length} failed`)
  })
  for (const line of summaryLines(summary)) console.log(line)
  for (const { seed, violations } of summary.failures) console.log(`seed ${seed}: ${violations[0]}`)
  const [first] = summary.failures
  if (first !== undefined) await printShrunk(scenarioOf(first.seed), options, runs)
  return first === undefined
}

/** Runs one seed, or a part of it. @returns whether it passed */
async function runOne(options: Asked, runs: RunOptions): Promise<boolean> {
  const { seed, kept } = options
  const whole = scenarioOf(seed)
  const scenario = kept === undefined ? whole : reduced(whole, kept)
  const { violations, trace, events } = await runScenario(scenario, runs)
  console.log(JSON.stringify(scenario, null, 2))
  for (const violation of violations) console.log(`violation: ${violation}`)
  console.log(`seed ${seed}: ${events} events, trace ${trace.slice(0, 16)}`)
  if (violations.length > 0 && kept === undefined) await printShrunk(whole, options, runs)
  return violations.length === 0
}

async function printShrunk(scenario: Scenario, { plant, beside }: Options, runs: RunOptions): Promise<void> {
  console.log(`shrinking seed ${scenario.seed} …`)
  const kept = await shrink(scenario, async (smaller) => {
    const { violations } = await runScenario(smaller, runs)
    return violations.length > 0
  })
  const { violations } = await runScenario(reduced(scenario, kept), runs)
  console.log(JSON.stringify(reduced(scenario, kept), null, 2))
  for (const violation of violations) console.log(`violation: ${violation}`)
  const part = `--actions "${kept.actions.join(',')}" --faults "${kept.faults.join(',')}"`
  const others = `--calm "${kept.calm.join(',')}" --order ${kept.order}`
  const fault = plant === undefined ? '' : ` --plant "${plant}"`
  const release = beside === undefined ? '' : ` --beside "${beside}"`
  const { actions, faults } = kept
  console.log(`${actions.length} actions and ${faults.length} faults of the scenario are left`)
  console.log(`replay it: npx -y pnpm@12 simulate --seed ${scenario.seed} ${part} ${others}${fault}${release}`)
}

/** Copies and loads the other release, if there is one. @throws Error when it cannot be run */
async function prepare({ plant, beside }: Options) {
  const folder = beside === undefined ? undefined : copyRelease(beside)
  try {
    return { folder, runs: await runOptions({ plant, folder }) }
  } catch (error) {
    remove(folder)
    throw error
  }
}

function remove(folder: string | undefined): void {
  if (folder !== undefined) rmSync(folder, { recursive: true })
}

/** @returns the status of the process: 1 when a seed failed, 2 when the other release cannot be run */
async function runAsked(options: Options): Promise<number> {
  const { beside, seeds } = options
  const prepared = await prepare(options).catch((error: unknown) => {
    console.error(`--beside ${beside}: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (prepared === undefined) return 2
  const { folder, runs } = prepared
  try {
    const asked = { ...options, folder }
    return (await (seeds === 1 ? runOne(asked, runs) : runMany(asked, runs))) ? 0 : 1
  } finally {
    remove(folder)
  }
}

const options = readOptions(process.argv.slice(2))
if (typeof options === 'string') {
  console.error(`${options}\n\n${usage}`)
  process.exitCode = 2
} else {
  process.exitCode = await runAsked(options)
}
