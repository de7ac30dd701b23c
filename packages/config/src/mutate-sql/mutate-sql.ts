// Changes the SQL functions, one change at a time, and reports which test finds each: `pnpm mutate:sql`, at the root.
// Results are kept in `.quipu/mutate-sql`, and what was run is not run again, but for:
// `--function a,b` takes these functions only;
// `--sample N --seed S` takes N changes of each function, chosen by the seed;
// `--again` runs survivors without a reason again, `--fresh` everything; `--slow` runs the slow tests, too;
// `--unexplained` leaves out the changes that have a reason to survive;
// `--record a,b` runs the test files with these names first, to see what their tests call;
// `--write` puts the results into docs/testing.md.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repository } from '../command.ts'
import { type SqlMutant, mutantsOf } from './mutants-of.ts'
import { readReached, recordReached, selectionOf } from './reaching-tests.ts'
import { keyOf, openResults, readExplanations } from './results.ts'
import { type Counts, sumOf, survivedOf, tableFile, withCounts } from './results-table.ts'
import { sampleOf } from './sample.ts'
import { callersOf, readMigrations, testFiles } from './sources.ts'
import { functionsOf, type SqlFunction } from './sql-functions.ts'
import { type Failure, type NamedTests, openTestRuns, type TestRuns } from './test-runs.ts'

const { values } = parseArgs({
  options: {
    function: { type: 'string' },
    sample: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    again: { type: 'boolean' },
    unexplained: { type: 'boolean' },
    slow: { type: 'boolean' },
    fresh: { type: 'boolean' },
    record: { type: 'string' },
    write: { type: 'boolean' },
  },
})

const folder = join(repository, '.quipu/mutate-sql')
const mutantFile = join(folder, `mutant-${process.pid}.sql`)
const migrations = readMigrations()
const functions = functionsOf(migrations)
const callers = callersOf(functions, migrations)
const explanations = readExplanations()
const results = openResults(join(folder, 'results.jsonl'))

const names = values.function?.split(',') ?? Array.from(functions.keys())
const unknown = names.filter((name) => !functions.has(name))
if (unknown.length > 0) {
  console.log(`There is no function ${unknown.join(', ')}`)
  process.exit(2)
}
const reachedFile = join(folder, 'reached.jsonl')
const outdated = values.fresh
  ? testFiles()
  : testFiles().filter((file) => isOutdated(file, readReached(reachedFile)))
const reached =
  outdated.length > 0 ? await recordReached(reachedFile, outdated) : readReached(reachedFile)
const runs = await openTestRuns({ env: { QUIPU_SQL_MUTANT: mutantFile }, bail: 1 })
for (const name of names) await mutateFunction(runs, name)
await runs.close()
rmSync(mutantFile, { force: true })
report(Array.from(functions.keys(), (name) => countsOf(name)))

async function mutateFunction(tests: TestRuns, name: string): Promise<void> {
  const all = mutantsOf(functionNamed(name))
  const speed = values.slow ? 'slow' : 'quick'
  const { selection, ms } = selectionOf(reached, callers.get(name) ?? new Set(), speed)
  const sample = sampleOf(all, Number(values.sample), Number(values.seed))
  const chosen = sample.filter((mutant) => isWanted(mutant))
  if (chosen.length === 0) return
  const seconds = Math.round(ms / 1000)
  console.log(
    `${name}: ${chosen.length} of ${all.length} changes, ${seconds} s of tests in ${selection.size} files`,
  )
  await tests.restart()
  const started = performance.now()
  const found = new Map<string, Set<string>>()
  for (const mutant of chosen) {
    writeFileSync(mutantFile, mutant.sql)
    const failed =
      (await finderOf(tests, finders(found))) ?? (await finderOf(tests, without(selection, found)))
    // A failure outside of the tests has no name of one.
    if (failed && selection.get(failed.file)?.includes(failed.test)) {
      const testsOfFile = found.get(failed.file) ?? new Set()
      if (!testsOfFile.has(failed.test)) await expectToPass(tests, failed)
      found.delete(failed.file)
      found.set(failed.file, testsOfFile.add(failed.test))
    }
    const by = failed ? nameOf(failed) : null
    results.put(mutant, by)
    const mark = by ? '✓' : isExplained(mutant) ? '~' : '✗'
    console.log(`${mark} ${mutant.of.file}:${mutant.line} ${keyOf(mutant)}${by ? ` by ${by}` : ''}`)
  }
  console.log(`${name}: took ${Math.round((performance.now() - started) / 1000)} s`)
}

/**
 * The tests that found earlier changes of the function: they are few, and find most of the others. The file that found
 * the last one comes first.
 */
function finders(found: ReadonlyMap<string, ReadonlySet<string>>): NamedTests {
  const names = Array.from(found, ([file, of]) => [file, [...of]] as const)
  return new Map(names.toReversed())
}

/** The tests of a selection that are not among others. */
function without(
  selection: NamedTests,
  others: ReadonlyMap<string, ReadonlySet<string>>,
): NamedTests {
  const names = Array.from(
    selection,
    ([file, of]) => [file, of.filter((test) => !others.get(file)?.has(test))] as const,
  )
  return new Map(names.filter(([, of]) => of.length > 0))
}

/** Expects that a test that found a change passes without it. */
async function expectToPass(tests: TestRuns, { file, test }: Failure): Promise<void> {
  rmSync(mutantFile, { force: true })
  const broken = await tests.run(new Map([[file, [test]]]))
  if (broken) throw new Error(`A test fails without a change: ${nameOf(broken)}`)
}

/** The first of these tests that fails twice. One that fails only once may have another reason than the change. */
async function finderOf(tests: TestRuns, selection: NamedTests): Promise<Failure | undefined> {
  let left = selection
  while (left.size > 0) {
    const failed = await tests.run(left)
    if (!failed) return undefined
    const ofFile = left.get(failed.file)
    if (!ofFile?.includes(failed.test)) return failed
    // With the other tests of its file, whose rows it may need.
    if (await tests.run(new Map([[failed.file, ofFile]]))) return failed
    console.log(`Not counted, as it passes when it runs again: ${nameOf(failed)}: ${failed.error}`)
    left = without(left, new Map([[failed.file, new Set([failed.test])]]))
  }
  return undefined
}

function nameOf({ file, test, error }: Failure): string {
  return file === '' ? error : `${file}: ${test}`
}

function functionNamed(name: string): SqlFunction {
  const found = functions.get(name)
  if (!found) throw new Error(`there is no function ${name}`)
  return found
}

/** Whether a test file has to run to know what its tests call. */
function isOutdated(file: string, recorded: ReturnType<typeof readReached>): boolean {
  const isNamed = values.record?.split(',').some((part) => file.includes(part)) === true
  return isNamed || !recorded.some((each) => each.file === file)
}

function isWanted(mutant: SqlMutant): boolean {
  const earlier = results.of(mutant)
  if (values.unexplained && isExplained(mutant)) return false
  if (values.fresh === true) return true
  return values.again ? earlier?.by === null && !isExplained(mutant) : !earlier
}

function isExplained(mutant: SqlMutant): boolean {
  return explanations[mutant.of.name]?.[keyOf(mutant)] !== undefined
}

function countsOf(name: string): Counts {
  const all = mutantsOf(functionNamed(name))
  const run = all.filter((mutant) => results.of(mutant))
  const survivors = run.filter((mutant) => results.of(mutant)?.by === null)
  const explained = survivors.filter((mutant) => isExplained(mutant))
  return {
    migration: functionNamed(name).file,
    mutants: all.length,
    run: run.length,
    killed: run.length - survivors.length,
    explained: explained.length,
  }
}

function report(counts: readonly Counts[]): void {
  const sum = sumOf(counts)
  const { mutants, run, killed, explained } = sum
  console.log(
    `${run} of ${mutants} changes were run: ${killed} found, ${explained} explained, ${survivedOf(sum)} survive`,
  )
  // Vitest has set it to 1, as each change that was found made a test fail.
  process.exitCode = survivedOf(sum) > 0 ? 1 : 0
  if (!values.write) return
  const file = join(repository, tableFile)
  writeFileSync(file, withCounts(readFileSync(file, 'utf8'), counts))
  console.log(`The results are in ${tableFile}`)
}
