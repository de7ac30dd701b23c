import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../command.ts'
import { textGuards } from './planted-fault.ts'

/** What a run of tests says. `broken`: a file did not load or no test ran, which finds nothing. */
export type TestRun =
  | { readonly type: 'passed'; readonly tests: number; readonly seconds: number }
  | { readonly type: 'failed'; readonly by: FailedTest; readonly seconds: number }
  | { readonly type: 'broken'; readonly reason: string; readonly seconds: number }

/** The first test that failed. `runs`: how many random cases its property took. */
export type FailedTest = {
  readonly file: string
  readonly test: string
  readonly runs: number | undefined
}

export type TestSelection = {
  /** Test files, or folders. */
  readonly files: readonly string[]
  /** A regular expression of the full names of tests. */
  readonly named?: string
  /** Test files that are left out. */
  readonly except?: readonly string[]
}

/** Runs tests in a folder until the first fails. */
export type RunTests = (folder: string, selection: TestSelection) => Promise<TestRun>

const reportFile = '.planted-report.json'

export const runVitest: RunTests = async (folder, { files, named, except = [] }) => {
  const file = join(folder, reportFile)
  rmSync(file, { force: true })
  const { output, seconds } = await run(
    [
      'vitest',
      'run',
      ...['--config', 'packages/config/vitest.config.ts', '--bail', '1', '--maxWorkers', '2'],
      ...['--reporter', 'json', '--outputFile', file],
      ...[...textGuards, ...except].flatMap((path) => ['--exclude', path]),
      ...(named === undefined ? [] : ['--testNamePattern', named]),
      ...files,
    ],
    folder,
  )
  if (!existsSync(file)) return { type: 'broken', reason: output.trim().slice(-2000), seconds }
  return interpret(JSON.parse(readFileSync(file, 'utf8')) as Report, folder, seconds)
}

/** The part of Vitest's JSON report that is read. */
export type Report = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** Only a test that ran and failed finds a fault. */
export function interpret(report: Report, folder: string, seconds: number): TestRun {
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((each) => ({ ...each, file: name.replace(`${folder}/`, '') })),
  )
  const failed = tests.find(({ status }) => status === 'failed')
  if (failed) {
    const runs = /Property failed after (\d+) tests/.exec(failed.failureMessages?.join() ?? '')?.[1]
    const by = { file: failed.file, test: failed.fullName.trim() }
    return { type: 'failed', by: { ...by, runs: runs ? Number(runs) : undefined }, seconds }
  }
  const unloaded = report.testResults.find(({ status }) => status === 'failed')
  if (unloaded) {
    return { type: 'broken', reason: `${unloaded.name}: ${unloaded.message}`, seconds }
  }
  const passed = tests.filter(({ status }) => status === 'passed').length
  if (passed === 0) return { type: 'broken', reason: 'no test ran: see its header', seconds }
  return { type: 'passed', tests: passed, seconds }
}
