// Plants faults in a copy of the work tree, one at a time, and reports which test finds each: `pnpm plant [name…]`, at
// the root. `--write` records the results in docs/testing.md; `--no-control` skips the tests without a fault, `--no-wide`
// those nearby that run when the expected ones pass.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { controlsOf, plantFault, type Result } from './plant-fault.ts'
import { type PlantedFault, readFaults } from './planted-fault.ts'
import { tableFile, withResults } from './fault-table.ts'
import { runVitest } from './run-tests-in.ts'
import { copyWorkTree, type WorkingCopy } from './working-copy.ts'

const root = process.cwd()

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean' },
    control: { type: 'boolean', default: true },
    wide: { type: 'boolean', default: true },
  },
  allowNegative: true,
})

const all = readFaults(root)
const unknown = positionals.filter((name) => !all.some((fault) => fault.name === name))
if (unknown.length > 0) {
  console.log(`There is no fault ${unknown.join(', ')}. The faults are:`)
  for (const { name, breaks } of all) console.log(`  ${name}: ${breaks}`)
  process.exit(2)
}
const faults = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name))

using copy = copyWorkTree(root)
const controlled = !values.control || (await passesWithoutFaults(copy))
const results = controlled ? await plantAll(copy) : []
const found = results.filter(([, { type }]) => type === 'found')
console.log(`${found.length} of ${faults.length} planted faults found`)
if (found.length < faults.length) process.exitCode = 1
if (values.write && controlled) {
  const file = join(root, tableFile)
  writeFileSync(file, withResults(readFileSync(file, 'utf8'), all, new Map(results)))
  console.log(`The results are in ${tableFile}`)
}

/** A test that fails without a fault finds nothing. */
async function passesWithoutFaults({ folder }: WorkingCopy): Promise<boolean> {
  for (const selection of controlsOf(faults)) {
    const run = await runVitest(folder, selection)
    if (run.type === 'passed') {
      console.log(`without a fault: ${run.tests} tests pass (${run.seconds.toFixed(0)} s)`)
    } else {
      const why = run.type === 'failed' ? `${run.by.file}: ${run.by.test}` : run.reason
      console.log(`A test fails without a fault, so nothing is planted: ${why}`)
      return false
    }
  }
  return true
}

async function plantAll(into: WorkingCopy): Promise<readonly (readonly [string, Result])[]> {
  const planting = { copy: into, runTests: runVitest, isWide: values.wide }
  const planted: (readonly [string, Result])[] = []
  for (const fault of faults) {
    const result = await plantFault(planting, fault).catch(
      (error: unknown) => ({ type: 'broken', reason: String(error) }) as const,
    )
    report(fault, result)
    planted.push([fault.name, result])
  }
  return planted
}

function report({ name, breaks }: PlantedFault, result: Result): void {
  if (result.type === 'broken') console.log(`✗ ${name}: not planted: ${result.reason}`)
  else if (result.type === 'not found')
    console.log(`✗ ${name}: NOT FOUND after ${result.seconds.toFixed(0)} s: ${breaks}`)
  else {
    const { by, seconds, widely } = result
    const cases = by.runs === undefined ? '' : `, ${by.runs} random cases`
    const where = widely ? ' (by none of the expected tests: name this file in its header)' : ''
    console.log(
      `✓ ${name}: after ${seconds.toFixed(0)} s${cases}, by ${by.file}: ${by.test}${where}`,
    )
  }
}
