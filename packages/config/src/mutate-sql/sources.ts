import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { repository } from '../command.ts'
import { reachedBy, type SourceFile, type SqlFunction } from './sql-functions.ts'

const migrations = 'packages/postgres/migrations'

export const readMigrations = (): readonly SourceFile[] =>
  globSync(`${migrations}/*.sql`, { cwd: repository })
    .toSorted()
    .map((file) => ({ file: basename(file), text: readFileSync(join(repository, file), 'utf8') }))

/** Folders and files of tests that run no function, or compare the text of migrations. */
const excluded = [
  'batch/',
  'connection/',
  'migration/',
  'readiness/database-ping',
  'readiness/fit-database',
  'readiness/restore.test',
  'upgrade/',
  'outages.test.ts',
  'plans.test.ts',
  'readme.test.ts',
  'sql-functions.test.ts',
]

/** The tests that are run: the contract suites over PostgreSQL, and the tests of its stores. */
export const testFiles = (): readonly string[] =>
  globSync('packages/postgres/src/**/*.test.ts', { cwd: repository })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !excluded.some((part) => file.includes(part)))
    .toSorted()

/** For each function, the functions that run it, itself among them. */
export function callersOf(
  functions: ReadonlyMap<string, SqlFunction>,
  sources: readonly SourceFile[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const reached = reachedBy(functions, sources)
  return new Map(
    Array.from(functions.keys(), (name) => {
      const callers = Array.from(reached).filter(([, called]) => called.has(name))
      return [name, new Set(callers.map(([caller]) => caller))]
    }),
  )
}
