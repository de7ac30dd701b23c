import path from 'node:path'

const hosts = path.resolve(import.meta.dirname, '../../../..')

/** The programs that tests start, relative to `hosts/`, by the names of their bundles. */
export const programs: Readonly<Record<string, string>> = {
  admin: 'admin/src/main.ts',
  api: 'api/src/main.ts',
  demo: 'local/src/demo.ts',
  example: 'example/src/main.ts',
  local: 'local/src/main.ts',
  quipu: '../packages/client/src/cli/main.ts',
  worker: 'worker/src/main.ts',
}

/** Names the folder of the bundles; `program-bundle.fixture.ts` sets it for a run of tests. */
export const bundleVariable = 'TEST_PROGRAMS'

/**
 * The file to start: the bundle in a run of tests, and the source in the laboratory.
 *
 * @param source  of the program, relative to `hosts/`, such as `api/src/main.ts`
 */
export function programFile(source: string): string {
  const folder = process.env[bundleVariable]
  if (folder === undefined) return sourceFile(source)
  const found = Object.entries(programs).find(([, each]) => each === source)
  if (!found) throw new Error(`${source} is not among the programs of program-file.fixture.ts`)
  return path.join(folder, `${found[0]}.mjs`)
}

export const sourceFile = (source: string): string => path.join(hosts, source)
