import { globSync } from 'node:fs'
import { matchesGlob, posix } from 'node:path'

/** A package that is mutated, and the tests that run against its mutants: none starts a process or a database. */
export type MutatedPackage = {
  /** Globs from the root, the fastest first. */
  readonly tests: readonly string[]
  /** Globs of everything else that decides what the tests do. */
  readonly testedBy: readonly string[]
  /** Folders that are mutated first, below `src`; money comes first. */
  readonly first: readonly string[]
  /** Globs of production files without behaviour of their own. */
  readonly without: readonly string[]
}

const own = (name: string): readonly string[] => [`packages/${name}/src/**/*.test.ts`]

export type PackageName = 'core' | 'wire' | 'webhook-http'

export const mutatedPackages: Readonly<Record<PackageName, MutatedPackage>> = {
  core: {
    tests: [
      ...own('core'),
      'packages/memory/src/stores.test.ts',
      'packages/memory/src/simulation.test.ts',
    ],
    testedBy: ['packages/{contracts,memory}/src/**/*.ts'],
    first: ['payout', 'quote', '', 'ledger', 'deposit', 'webhook'],
    without: [],
  },
  wire: {
    // Those of the OpenAPI documents are the slowest.
    tests: ['packages/wire/src/!(openapi)/*.test.ts', ...own('wire')],
    testedBy: ['packages/contracts/src/fixtures/*.ts'],
    first: ['json', 'list', 'payout', 'quote', 'event', 'webhook'],
    // Generators of tests, and the texts of the OpenAPI documents.
    without: ['**/testing.ts', '**/testing/**', '**/openapi/**', '**/*-paths.ts'],
  },
  'webhook-http': {
    tests: own('webhook-http'),
    testedBy: [],
    first: ['target', 'attempt'],
    without: [],
  },
}

export const packageNames = Object.keys(mutatedPackages) as readonly PackageName[]

export type Folder = { readonly path: string; readonly files: readonly string[] }

/** Narrows what is mutated. */
export type Narrowed = {
  /** A glob from the root, or from the package's `src`. */
  readonly glob?: string | undefined
  /** Paths from the root: no other file is mutated. */
  readonly changed?: readonly string[] | undefined
}

/** The files of a package that are mutated, by folder, in the order in which they are. */
export function foldersOf(
  name: PackageName,
  paths: readonly string[],
  { glob, changed }: Narrowed = {},
): readonly Folder[] {
  const { first, without } = mutatedPackages[name]
  const src = `packages/${name}/src`
  const files = paths
    .filter((path) => path.startsWith(`${src}/`) && /(?<!\.(?:test|fixture))\.ts$/.test(path))
    .filter((path) => !without.some((pattern) => matchesGlob(path, pattern)))
    .filter((path) => !changed || changed.includes(path))
    .filter((path) => !glob || [glob, `${src}/${glob}`].some((one) => matchesGlob(path, one)))
  const folders = Map.groupBy(files, (path) => posix.dirname(path))
  const rank = (path: string): number => {
    const listed = first.findIndex((folder) => posix.join(src, folder, '.') === path)
    return listed < 0 ? first.length : listed
  }
  return Array.from(folders, ([path, within]) => ({ path, files: within.toSorted() })).toSorted(
    (a, b) => rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1),
  )
}

/** The files that decide what the tests of a package do, from the root. */
export function testFilesOf(name: PackageName, root: string): readonly string[] {
  const { tests, testedBy } = mutatedPackages[name]
  const fixtures = tests.map((glob) => glob.replace('.test.ts', '.fixture.ts'))
  return globSync([...tests, ...fixtures, ...testedBy], { cwd: root }).toSorted()
}
