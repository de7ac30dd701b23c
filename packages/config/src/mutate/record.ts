import { hash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSurvivor, type Mutant } from './mutant.ts'
import { type PackageName, testFilesOf } from './selection.ts'

/** A result that a later run need not repeat. */
export type Recorded = Mutant & {
  /** A hash of the mutated file. */
  readonly source: string
  /** A hash of the tests. */
  readonly tests: string
  readonly seconds: number
}

/** The results of one package, which outlive a run that ends early. */
export type MutantRecord = {
  /** The latest result of each mutant of files that are as they were. */
  readonly read: () => readonly Recorded[]
  readonly write: (mutants: readonly Mutant[], seconds: number) => void
  /** Whether the result holds: a survivor meets again tests that have changed, a killed mutant does not. */
  readonly isSettled: (result: Recorded) => boolean
}

const digest = (text: string): string => hash('sha256', text).slice(0, 16)

/**
 * @param root  the work tree, which keeps the results
 * @param copy  what is tested: the work tree may change meanwhile
 */
export function recordOf(name: PackageName, root: string, copy: string): MutantRecord {
  const file = join(root, `node_modules/.cache/quipu-mutate/${name}.jsonl`)
  const read = (path: string): string => readFileSync(join(copy, path), 'utf8')
  const tests = digest(testFilesOf(name, copy).map(read).join('\0'))
  const paths = globSync(`packages/${name}/src/**/*.ts`, { cwd: copy })
  // All at once: Stryker changes the files while it runs.
  const sources = new Map(paths.map((path) => [path, digest(read(path))]))
  const sourceOf = (path: string): string => sources.get(path) ?? ''
  mkdirSync(dirname(file), { recursive: true })
  return {
    read: () => {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
      return latest(lines.map((line) => JSON.parse(line) as Recorded)).filter(
        (each) => each.source === sourceOf(each.file),
      )
    },
    write: (mutants, seconds) => {
      const lines = mutants.map((mutant): string => {
        const result: Recorded = { ...mutant, source: sourceOf(mutant.file), tests, seconds }
        return `${JSON.stringify(result)}\n`
      })
      appendFileSync(file, lines.join(''))
    },
    isSettled: (result) =>
      result.status !== 'pending' && !(isSurvivor(result) && result.tests !== tests),
  }
}

/** The last result of each mutant. */
export function latest(results: readonly Recorded[]): readonly Recorded[] {
  const last = new Map<string, Recorded>()
  for (const each of results) {
    const { file, source, start, end, mutator, replacement } = each
    last.set(JSON.stringify([file, source, start, end, mutator, replacement]), each)
  }
  return [...last.values()]
}

/**
 * What Stryker mutates of these files: a file without results whole, else the places without a settled result.
 *
 * @param results  results of all mutants of files that have any
 */
export function patternsFor(
  files: readonly string[],
  results: readonly Recorded[],
  isSettled: MutantRecord['isSettled'],
): readonly string[] {
  return files.flatMap((file) => {
    const known = results.filter((each) => each.file === file)
    if (known.length === 0) return [file]
    const open = known.filter((each) => !isSettled(each))
    // Stryker's lines count from 1 here, its columns from 0.
    return open.map(
      ({ start, end }) => `${file}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`,
    )
  })
}
