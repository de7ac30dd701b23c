import { join } from 'node:path'
import { inspect } from 'node:util'
import type { Plugin } from 'vitest/config'
import {
  BaseSequencer,
  createVitest,
  type Reporter,
  type SerializedError,
  type TestModule,
  type TestSequencerConstructor,
  type Vitest,
} from 'vitest/node'
import { repository } from '../command.ts'
import { type KeptWorker, keptWorker } from './kept-worker.ts'

/** Test files, each with the full names of the tests to run, or all of them. */
export type Selection = ReadonlyMap<string, readonly string[] | 'all'>

/** Test files, each with the full names of the tests to run. */
export type NamedTests = ReadonlyMap<string, readonly string[]>

/** A test that failed, with the message of its first error. An error outside of the tests has neither file nor test. */
export type Failure = { readonly file: string; readonly test: string; readonly error: string }

/** A Vitest that stays open between runs, with its PostgreSQL and the process that has loaded the tests. */
export type TestRuns = {
  /** @returns the first failure */
  run(selection: Selection): Promise<Failure | undefined>
  /** Makes the next run start a process of its own. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** A change may let a loop run for ever. */
const timeoutMs = 20_000

// Vitest takes a class.
const inGivenOrder: TestSequencerConstructor = class extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    return files
  }
}

/**
 * @param options.env variables of the tests
 * @param options.bail after how many failed tests a run ends; 0: never
 */
export async function openTestRuns(options: {
  readonly env: Readonly<Record<string, string>>
  readonly bail: number
}): Promise<TestRuns> {
  const failures: Failure[] = []
  let worker: KeptWorker | undefined
  // The pool of the tests' own configuration wins over one that is given as an option.
  const keepWorker: Plugin = {
    name: 'keep-worker',
    config: ({ test }) => {
      if (test)
        test.pool = {
          name: 'kept',
          createPoolWorker: (poolOptions) => (worker ??= keptWorker(poolOptions)),
        }
    },
  }
  const testOptions: Parameters<typeof createVitest>[1] = {
    config: join(repository, 'packages/config/vitest.config.ts'),
    root: repository,
    watch: false,
    bail: options.bail,
    maxWorkers: 1,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    env: options.env,
    setupFiles: [join(repository, 'packages/postgres/src/test/reached-functions.fixture.ts')],
    reporters: [failuresTo(failures)],
    silent: true,
    sequence: { sequencer: inGivenOrder },
  }
  const vitest = await createVitest('test', testOptions, { plugins: [keepWorker] })
  const runOnce = async (selection: Selection) => {
    failures.length = 0
    const unhandled = await runTests(vitest, selection)
    return failures[0] ?? unhandled
  }
  const restart = async () => {
    await worker?.end()
    worker = undefined
  }
  return {
    run: async (selection) => {
      const wasKept = worker !== undefined
      const started = performance.now()
      const failure = await runOnce(selection)
      const isOutside = failure?.file === ''
      // A test that timed out may still run.
      if (isOutside || (failure && performance.now() - started > timeoutMs)) await restart()
      // An error outside of the tests may be of an earlier run in the same process.
      return isOutside && wasKept ? runOnce(selection) : failure
    },
    restart,
    close: async () => {
      await restart()
      await vitest.close()
    },
  }
}

/** Adds each failure to these. */
function failuresTo(failures: Failure[]): Reporter {
  const add = (module: TestModule, test: string, errors: readonly SerializedError[]) =>
    failures.push({ file: module.relativeModuleId, test, error: errors[0]?.message ?? '' })
  return {
    onTestCaseResult: (test) => {
      const { state, errors = [] } = test.result()
      if (state === 'failed') add(test.module, test.fullName, errors)
    },
    onTestSuiteResult: (suite) => {
      if (suite.errors().length > 0) add(suite.module, suite.fullName, suite.errors())
    },
    onTestModuleEnd: (module) => {
      if (module.errors().length > 0) add(module, '(the file)', module.errors())
    },
  }
}

/** Vitest keeps the results of earlier runs, so those of this run are what the reporter hears. */
async function runTests(vitest: Vitest, selection: Selection): Promise<Failure | undefined> {
  const project = vitest.getRootProject()
  const specifications = Array.from(selection, ([file, testNames]) =>
    project.createSpecification(
      join(repository, file),
      testNames === 'all' ? {} : { testNames: [...testNames] },
    ),
  )
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications, false)
  const [error] = unhandledErrors
  // It comes from another process, and has no prototype.
  return error === undefined
    ? undefined
    : { file: '', test: '', error: inspect(error, { depth: 0 }) }
}
