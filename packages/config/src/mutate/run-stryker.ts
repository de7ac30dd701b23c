import { relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import type { Mutant, MutantStatus } from './mutant.ts'
import {
  type PlannedMutant,
  plannedMutants,
  type StrykerMutant,
  type StrykerPosition,
  testedMutants,
} from './stryker-plugins.ts'

type StrykerRun = {
  /** The copy that is mutated: the working directory of this process. */
  readonly folder: string
  /** Files, or places in them. */
  readonly patterns: readonly string[]
  /** Globs of test files. */
  readonly tests: readonly string[]
  readonly jobs: number
  readonly onPlanned: (mutants: readonly Mutant[]) => void
  readonly onTested: (mutant: Mutant) => void
}

/** A mutant that loops has this much longer than its tests need without it; a busy machine is slow as well. */
const extraMilliseconds = 10_000

/** Mutates the files, runs for each mutant the tests that reach it, and reports each mutant once planned and once tested. */
export async function runStryker(run: StrykerRun): Promise<void> {
  const { folder, patterns, tests, jobs } = run
  process.env['QUIPU_MUTATION_TESTS'] = tests.join('|')
  const planned = (message: unknown): void => {
    const mutants = (message as readonly PlannedMutant[]).filter((each) => !isIgnored(each))
    run.onPlanned(mutants.map((each) => mutantOf(folder, each, 'pending', 0)))
  }
  const tested = (message: unknown): void => {
    const mutant = message as StrykerMutant
    if (!isIgnored(mutant)) run.onTested(mutantOf(folder, mutant, statusOf(mutant.status), 1))
  }
  plannedMutants.subscribe(planned)
  testedMutants.subscribe(tested)
  const options: object = {
    inPlace: true,
    mutate: [...patterns],
    testRunner: 'vitest',
    vitest: { configFile: 'packages/config/mutation.config.ts', related: false },
    plugins: [
      import.meta.resolve('@stryker-mutator/vitest-runner'),
      import.meta.resolve('./stryker-plugins.ts'),
    ],
    reporters: ['channels'],
    ignorers: ['texts'],
    coverageAnalysis: 'perTest',
    concurrency: jobs,
    timeoutMS: extraMilliseconds,
    timeoutFactor: 2,
    // Vitest strips the types and checks none.
    disableTypeChecks: false,
    logLevel: 'warn',
    fileLogLevel: 'off',
  }
  try {
    await new Stryker(options).runMutationTest()
  } finally {
    plannedMutants.unsubscribe(planned)
    testedMutants.unsubscribe(tested)
  }
}

/** Mutants that are left out are not counted. */
const isIgnored = ({ status }: PlannedMutant): boolean => status === 'Ignored'

/** @param first  the number of the first line and column */
const mutantOf = (
  folder: string,
  { fileName, location, mutatorName, replacement = '' }: PlannedMutant,
  status: MutantStatus,
  first: number,
): Mutant => {
  const from0 = ({ line, column }: StrykerPosition): StrykerPosition => ({
    line: line - first,
    column: column - first,
  })
  return {
    file: relative(folder, fileName),
    start: from0(location.start),
    end: from0(location.end),
    mutator: mutatorName,
    replacement,
    status,
  }
}

/** A `RuntimeError` is a module that cannot be loaded: each test of it fails. */
function statusOf(status: string): MutantStatus {
  if (['Killed', 'Timeout', 'RuntimeError'].includes(status)) return 'killed'
  if (status === 'Survived') return 'survived'
  return status === 'NoCoverage' ? 'uncovered' : 'refused'
}
