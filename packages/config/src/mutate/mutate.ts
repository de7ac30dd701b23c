// Mutates a copy of the work tree, folder by folder, and prints the mutants that no test kills: `pnpm mutate`, at the root.
// `--package core` (or wire, webhook-http); `--files <glob>`, from the package's src; `--changed <base>`, only files that
// differ from a commit; `--jobs N`. Results outlive the run: the next one tests what is left, what has changed, and, with
// other tests, the survivors. `--again` tests everything.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyWorkTree } from '../plant/working-copy.ts'
import { type Explained, explain, explainedFile, readExplained } from './explained-mutants.ts'
import { compile, compiles } from './compile-survivor.ts'
import { isSurvivor, type Mutant, textOf } from './mutant.ts'
import { type MutantRecord, patternsFor, type Recorded, recordOf } from './record.ts'
import { runStryker } from './run-stryker.ts'
import { percent, rowOf, type Score, scoreOf, sumOf } from './score.ts'
import {
  type Folder,
  foldersOf,
  mutatedPackages,
  type PackageName,
  packageNames,
} from './selection.ts'

const root = process.cwd()
const { values } = parseArgs({
  options: {
    package: { type: 'string' },
    files: { type: 'string' },
    changed: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    again: { type: 'boolean', default: false },
  },
})

const selected = packageNames.filter((name) => (values.package ?? name) === name)
if (selected.length === 0) fail(`--package must be one of ${packageNames.join(', ')}`)
if (!/^[1-9]\d?$/.test(values.jobs)) fail('--jobs must be a whole number from 1 to 99')

const explanations = readExplained(root)
const narrowed = { glob: values.files, changed: changedSince(values.changed) }
const work = selected.flatMap((name) => {
  const paths = globSync(`packages/${name}/src/**/*.ts`, { cwd: root })
  return foldersOf(name, paths, narrowed).map((folder) => ({ name, folder }))
})
if (work.length === 0) fail('no file is selected')

const copy = copyWorkTree(root)
// Also when a signal ends the run.
process.once('exit', () => copy[Symbol.dispose]())
process.chdir(copy.folder)
const scores: Score[] = []
let staleEntries = 0
for (const name of selected) {
  const errors = await compile(copy.folder, name)
  if (errors !== '') fail(`packages/${name} does not compile: ${errors}`)
}
const records = new Map(selected.map((name) => [name, recordOf(name, root, copy.folder)]))
for (const { name, folder } of work) {
  const record = records.get(name)
  if (!record) continue
  await test(name, folder, record)
  const results = resultsOf(folder, record)
  if (results.length > 0) report(folder, results)
}
if (scores.length > 1) console.log(rowOf(sumOf('all', scores)))
if (staleEntries > 0 || scores.some(({ survived }) => survived > 0)) process.exitCode = 1

function fail(reason: string): never {
  console.error(reason)
  process.exit(2)
}

function changedSince(base: string | undefined): readonly string[] | undefined {
  if (base === undefined) return undefined
  const git = (...args: string[]): readonly string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
  const added = git('ls-files', '--others', '--exclude-standard')
  return [...git('diff', '--name-only', '--relative', base, '--'), ...added]
}

function sourceOf(file: string): string {
  return readFileSync(join(copy.folder, file), 'utf8')
}

function resultsOf({ files }: Folder, record: MutantRecord): readonly Recorded[] {
  return record.read().filter(({ file }) => files.includes(file))
}

/**
 * Runs the folder's own tests against the mutants that have no settled result, then all tests against those that are
 * left: Vitest loads every test file that reaches a mutant before it runs the first one.
 */
async function test(name: PackageName, folder: Folder, record: MutantRecord): Promise<void> {
  const own = `${folder.path}/*.test.ts`
  let known = values.again ? [] : resultsOf(folder, record)
  if (globSync(own, { cwd: copy.folder }).length > 0) {
    await runTests(known, [own], (mutant, seconds) =>
      record.write([isSurvivor(mutant) ? { ...mutant, status: 'pending' } : mutant], seconds),
    )
    known = resultsOf(folder, record)
  }
  const all = [own, ...mutatedPackages[name].tests]
  await runTests(known, all, (mutant, seconds) => record.write([mutant], seconds))
  for (const mutant of resultsOf(folder, record).filter(isSurvivor)) {
    const started = performance.now()
    const isAccepted = await compiles(copy.folder, name, mutant)
    const seconds = mutant.seconds + (performance.now() - started) / 1000
    if (!isAccepted) record.write([{ ...mutant, status: 'refused' }], seconds)
  }

  async function runTests(
    results: readonly Recorded[],
    tests: readonly string[],
    write: (mutant: Mutant, seconds: number) => void,
  ): Promise<void> {
    const patterns = patternsFor(folder.files, results, record.isSettled)
    if (patterns.length === 0) return
    let started = performance.now()
    await runStryker({
      ...{ folder: copy.folder, patterns, tests, jobs: Number(values.jobs) },
      onPlanned: (mutants) => {
        console.log(`${folder.path}: ${mutants.length} mutants`)
        record.write(mutants, 0)
        started = performance.now()
      },
      onTested: (mutant) => {
        write(mutant, (performance.now() - started) / 1000)
        started = performance.now()
      },
    })
  }
}

function report({ path }: Folder, results: readonly Recorded[]): void {
  const explained = explain(explanations, results, sourceOf)
  const score = scoreOf(path, results, explained)
  scores.push(score)
  staleEntries += explained.stale.length
  for (const line of linesOf(explained)) console.log(line)
  console.log(`${path}: ${score.killed} of ${score.mutants} mutants killed, ${percent(score)}`)
  console.log(rowOf(score))
}

function linesOf({ unexplained, stale }: Explained): readonly string[] {
  const survivors = unexplained.map((mutant) => {
    const { file, start, status, mutator } = mutant
    const { mutant: text } = textOf(mutant, sourceOf(file))
    return `${file}:${start.line + 1}: ${status} (${mutator}): ${text}`
  })
  const entries = stale.map(
    ({ file, mutant }) =>
      `${file}: ${explainedFile} explains a mutant that no test meets or that a test kills; remove it: ${mutant}`,
  )
  return [...survivors, ...entries]
}
