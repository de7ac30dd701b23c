import { globSync } from 'node:fs'
import { type Outcome, run } from './command.ts'
import { type Guard, type GuardName, guards } from './guards.ts'

const root = process.cwd()
const sources = globSync('{packages,hosts,docs}/*/src/**/*.ts', { cwd: root }).length

/** A guard that reads fewer files than there are sources fails, whatever its exit code. */
function readsAll({ filesRead }: Guard, output: string): boolean {
  return filesRead === undefined || Number(filesRead.exec(output)?.[1] ?? 0) >= sources
}

function report(name: GuardName, outcome: Outcome, passed: boolean): void {
  console.log(`${passed ? '✓' : '✗'} ${name} (${outcome.seconds.toFixed(1)} s)`)
  if (!passed) console.log(`${outcome.output.trim()}\n`)
}

async function passes(name: GuardName): Promise<boolean> {
  const guard = guards[name]
  const outcome = await run(guard.command, root)
  const readAll = readsAll(guard, outcome.output)
  const passed = outcome.code === 0 && readAll
  report(name, outcome, passed)
  if (!readAll) {
    console.log(`${name} read fewer than ${sources} source files: see its paths in guards.ts.\n`)
  }
  return passed
}

async function inOrder(...names: readonly GuardName[]): Promise<boolean> {
  let passed = true
  for (const name of names) passed = (await passes(name)) && passed
  return passed
}

/** Runs the compiler, whose output the package check and some tests read. @returns whether it passes */
export const checkTypes = (): Promise<boolean> => passes('types')

/** Runs every other guard that reads sources, one after the other. @returns whether all pass */
export const checkSources = (): Promise<boolean> =>
  inOrder('format', 'lint', 'boundaries', 'dead code', 'house rules', 'references')

/** Packs what the compiler wrote. @returns whether it passes */
export const checkPackages = (): Promise<boolean> => passes('packages')
