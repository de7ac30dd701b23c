import { posix } from 'node:path'
import { rangeBreaches } from './ranges.ts'
import type { SourceFile } from './source-file.ts'

type Repository = { readonly url?: string; readonly directory?: string }

type Exports = Readonly<Record<string, Readonly<Record<string, string>>>>

type Manifest = {
  readonly name?: string
  readonly description?: string
  readonly license?: string
  readonly keywords?: readonly string[]
  readonly type?: string
  readonly private?: boolean
  readonly engines?: { readonly node?: string }
  readonly files?: readonly string[]
  readonly exports?: Exports
  readonly repository?: Repository
  readonly publishConfig?: { readonly access?: string; readonly exports?: Exports }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

type References = { readonly references?: readonly { readonly path: string }[] }

const solution = 'packages/config/tsconfig.solution.json'
const workspace = 'pnpm-workspace.yaml'

/** Breaches in the `package.json` files and in the references between the compiler's projects. */
export function manifestBreaches(files: readonly SourceFile[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const { repository } = JSON.parse(texts.get('package.json') ?? '{}') as Manifest
  const breaches = files
    .filter(({ path }) => /^(?:(?:packages|hosts|docs)\/[^/]+\/)?package\.json$/.test(path))
    .flatMap(({ path, text }) => {
      const manifest = JSON.parse(text) as Manifest
      const folder = posix.dirname(path)
      const found = [
        ...described(manifest, folder),
        ...(manifest.private ? [] : [...publishable(manifest), ...located(manifest, folder, repository)]),
        ...packed(manifest),
        ...versioned(manifest),
      ].map((breach) => `${path}: ${breach}`)
      return [...found, ...compiled(manifest, folder, texts)]
    })
  const ofRanges = rangeBreaches(texts.get(workspace) ?? '')
  return [...breaches, ...ofRanges.map((breach) => `${workspace}: ${breach}`)]
}

function* described(manifest: Manifest, folder: string): Generator<string> {
  const name = folder === '.' ? 'quipu' : `@quipu/${posix.basename(folder)}`
  if (manifest.name !== name) yield `set name to ${name}`
  if (!manifest.description) yield 'add a description'
  if (manifest.license !== 'Apache-2.0') yield 'set license to Apache-2.0'
  if (manifest.type !== 'module') yield 'set type to module'
}

/** undici 8 needs this version. The client has no dependencies and runs on older versions. */
const firstNode = '>=22.19.0'
const firstNodeOfClient = '>=20'

/** The requirements of npm for a public package. Its published entries are the tested entries, compiled. */
function* publishable(manifest: Manifest): Generator<string> {
  const { name, engines, files, keywords, exports, publishConfig } = manifest
  const node = name === '@quipu/client' ? firstNodeOfClient : firstNode
  if (engines?.node !== node) yield `set engines.node to ${node}`
  if (!files) yield 'list the published files in files'
  if (!files?.includes('CHANGELOG.md')) yield 'add CHANGELOG.md to files'
  if ((keywords ?? []).length < 3) yield 'add three keywords or more'
  // They name sources, which the archive does not have.
  if (!files?.includes('!dist/**/*.map')) yield 'add !dist/**/*.map to files'
  if (publishConfig?.access !== 'public') yield 'set publishConfig.access to public'
  const compiled = Object.entries(exports ?? {})
    .map(([entry, conditions]): [string, [string, string][]] => [
      entry,
      Object.entries(conditions).filter(([condition]) => condition !== 'source'),
    ])
    .filter(([, conditions]) => conditions.length > 0) // An entry with a source only is for this repository.
    .map(([entry, conditions]) => [entry, Object.fromEntries(conditions)])
  if (JSON.stringify(publishConfig?.exports) !== JSON.stringify(Object.fromEntries(compiled))) {
    yield 'set publishConfig.exports to exports without the source condition'
  }
}

/** npm compares the repository of a package with the one that publishes it. */
function* located({ repository }: Manifest, folder: string, ofRoot: Repository | undefined): Generator<string> {
  const { url } = ofRoot ?? {}
  if (repository?.url !== url) yield `set repository.url to that of the root: ${url}`
  if (url !== undefined && repository?.directory !== folder) yield `set repository.directory to ${folder}`
}

/** An archive contains no tests and no fixtures. */
function* packed({ exports, files = [] }: Manifest): Generator<string> {
  if (!JSON.stringify(exports ?? {}).includes('"./dist/')) return
  for (const excluded of ['!dist/**/*.fixture.*', '!dist/**/*.test.*']) {
    if (!files.includes(excluded)) yield `add ${excluded} to files`
  }
}

/** Versions are in pnpm-workspace.yaml: one for the workspace, a range for the dependents of a public package. */
function* versioned(manifest: Manifest): Generator<string> {
  const { dependencies, devDependencies, peerDependencies } = manifest
  const ofDependents = manifest.private ? 'catalog:' : 'catalog:ranges'
  const groups = [
    [{ ...dependencies, ...peerDependencies }, ofDependents],
    [devDependencies, 'catalog:'],
  ] as const
  for (const [group = {}, catalog] of groups)
    for (const [name, version] of Object.entries(group)) {
      const expected = name.startsWith('@quipu/') ? 'workspace:^' : catalog
      if (version !== expected && !(catalog === 'catalog:' && version === 'catalog:six'))
        yield `set ${name} to ${expected}: versions are in pnpm-workspace.yaml`
    }
}

/** tsc builds a package before its dependents only if the solution and they reference it. */
function* compiled(
  { dependencies, devDependencies }: Manifest,
  folder: string,
  texts: ReadonlyMap<string, string>,
): Generator<string> {
  const project = `${folder}/tsconfig.json`
  if (!texts.has(project)) return
  if (!references(solution, texts).includes(folder)) yield `${solution}: add a reference to ${folder}`
  const referenced = references(project, texts)
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const needed = name.replace('@quipu/', '')
    const isReferenced = referenced.some((reference) => posix.basename(reference) === needed)
    if (name !== needed && !isReferenced) yield `${project}: add a reference to ${name}`
  }
}

/** The folders that a project references, from the root. */
function references(project: string, texts: ReadonlyMap<string, string>): string[] {
  const { references: found = [] } = JSON.parse(texts.get(project) ?? '{}') as References
  return found.map(({ path }) => posix.join(posix.dirname(project), path))
}
