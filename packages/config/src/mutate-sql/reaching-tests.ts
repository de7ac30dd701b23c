import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { repository } from '../command.ts'
import { type NamedTests, openTestRuns } from './test-runs.ts'

/** What a test calls, and how long it takes. */
type Reached = {
  readonly file: string
  /** Null for what all tests of the file share, as what is prepared before them. */
  readonly test: string | null
  readonly ms: number
  readonly called: readonly string[]
}

/** Runs test files once, and returns what each test calls. The file keeps it for later runs. */
export async function recordReached(
  file: string,
  tests: readonly string[],
): Promise<readonly Reached[]> {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.draft`
  rmSync(draft, { force: true })
  const runs = await openTestRuns({ env: { QUIPU_REACHED_FUNCTIONS: draft }, bail: 0 })
  const failed = await runs.run(new Map(tests.map((path) => [path, 'all'] as const)))
  await runs.close()
  if (failed) throw new Error(`A test fails without a change: ${failed.file}: ${failed.test}`)
  const others = readReached(file).filter((each) => !tests.includes(each.file))
  const recorded = [...others, ...readReached(draft)]
  writeFileSync(file, recorded.map((each) => `${JSON.stringify(each)}\n`).join(''))
  rmSync(draft)
  return recorded
}

/** What earlier runs recorded. */
export const readReached = (file: string): readonly Reached[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Reached)
        .map((each) => ({ ...each, file: relative(repository, resolve(repository, each.file)) }))
    : []

/**
 * How long the tests take that run, and what their file prepares, in ms. Tests that are slower still repeat a case
 * thousands of times.
 */
const longest = {
  quick: { testMs: 200, preparationMs: 3_000 },
  slow: { testMs: 3_000, preparationMs: 3_600_000 },
}

/**
 * The tests that reach a function: in files whose tests reach it in the least time first.
 *
 * @param callers the functions that run it, itself among them
 * @param speed whether slow tests run, too
 */
export function selectionOf(
  reached: readonly Reached[],
  callers: ReadonlySet<string>,
  speed: keyof typeof longest,
): { readonly selection: NamedTests; readonly ms: number } {
  const calls = ({ called }: Reached): boolean => called.some((name) => callers.has(name))
  const { testMs, preparationMs } = longest[speed]
  const preparations = reached.filter(({ test }) => test === null)
  const filesOf = (some: readonly Reached[]) => new Set(some.map(({ file }) => file))
  const shared = filesOf(preparations.filter(calls))
  const slow = filesOf(preparations.filter(({ ms }) => ms > preparationMs))
  const chosen = reached.filter(
    (each) =>
      each.test !== null &&
      each.ms <= testMs &&
      !slow.has(each.file) &&
      (calls(each) || shared.has(each.file)),
  )
  const byFile = Map.groupBy(chosen, ({ file }) => file)
  const times = Array.from(byFile, ([file, tests]) => ({
    file,
    names: tests.flatMap(({ test }) => test ?? []),
    ms: tests.reduce((sum, { ms }) => sum + ms, 0),
  })).toSorted((a, b) => a.ms - b.ms)
  return {
    selection: new Map(times.map(({ file, names }) => [file, names])),
    ms: times.reduce((sum, { ms }) => sum + ms, 0),
  }
}
