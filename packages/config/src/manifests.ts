import { posix } from 'node:path'
import type { SourceFile } from './source-file.ts'

type Exports = Readonly<Record<string, Readonly<Record<string, string>>>>

type Manifest = {
  readonly name?: string
  readonly description?: string
  readonly license?: string
  readonly type?: string
  readonly private?: boolean
  readonly engines?: { readonly node?: string }
  readonly files?: readonly string[]
  readonly exports?: Exports
  readonly publishConfig?: { readonly access?: string; readonly exports?: Exports }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

type References = { readonly references?: readonly { readonly path: string }[] }

const solution = 'packages/config/tsconfig.solution.json'

/** Breaches in the `package.json` files, and where they and the compiler's projects disagree. */
export function manifestBreaches(files: readonly SourceFile[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return files
    .filter(({ path }) => /^(?:(?:packages|hosts|docs)\/[^/]+\/)?package\.json$/.test(path))
    .flatMap(({ path, text }) => {
      const manifest = JSON.parse(text) as Manifest
      const folder = posix.dirname(path)
      const found = [
        ...described(manifest, folder),
        ...(manifest.private ? [] : publishable(manifest)),
        ...carried(manifest),
        ...pinned(manifest),
      ].map((breach) => `${path}: ${breach}`)
      return [...found, ...compiled(manifest, folder, texts)]
    })
}

function* described(manifest: Manifest, folder: string): Generator<string> {
  const name = folder === '.' ? 'quipu' : `@quipu/${posix.basename(folder)}`
  if (manifest.name !== name) yield `the name is ${name}`
  if (!manifest.description) yield 'a description is missing'
  if (manifest.license !== 'Apache-2.0') yield 'the license is Apache-2.0'
  if (manifest.type !== 'module') yield 'the type is module'
}

/** What npm needs, and that what is published is what is tested, only compiled. */
function* publishable({ engines, files, exports, publishConfig }: Manifest): Generator<string> {
  if (!engines?.node) yield 'a public package names its Node in engines'
  if (!files) yield 'a public package lists its files'
  if (publishConfig?.access !== 'public') yield 'a public package has publishConfig.access public'
  const compiled = Object.entries(exports ?? {})
    .map(([entry, conditions]): [string, [string, string][]] => [
      entry,
      Object.entries(conditions).filter(([condition]) => condition !== 'source'),
    ])
    .filter(([, conditions]) => conditions.length > 0) // A source alone is for tests in here.
    .map(([entry, conditions]) => [entry, Object.fromEntries(conditions)])
  if (JSON.stringify(publishConfig?.exports) !== JSON.stringify(Object.fromEntries(compiled))) {
    yield 'publishConfig.exports is exports without the source condition'
  }
}

/** What npm or `deploy` carries to another machine is what runs there. */
function* carried({ exports, files = [] }: Manifest): Generator<string> {
  if (!JSON.stringify(exports ?? {}).includes('"./dist/')) return
  for (const left of ['dist/**/*.fixture.*', 'dist/**/*.test.*']) {
    if (!files.includes(`!${left}`)) yield `files leave out ${left}`
  }
}

function* pinned(manifest: Manifest): Generator<string> {
  const { dependencies, devDependencies, peerDependencies } = manifest
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...devDependencies,
    ...peerDependencies,
  })) {
    const expected = name.startsWith('@quipu/') ? 'workspace:^' : 'catalog:'
    if (version.replace(/^catalog:.+/, 'catalog:') !== expected)
      yield `${name} is ${expected}: versions stand in pnpm-workspace.yaml`
  }
}

/** A package that the solution or a dependent does not reference is built by chance or not at all. */
function* compiled(
  { dependencies, devDependencies }: Manifest,
  folder: string,
  texts: ReadonlyMap<string, string>,
): Generator<string> {
  const project = `${folder}/tsconfig.json`
  if (!texts.has(project)) return
  if (!references(solution, texts).includes(folder)) yield `${solution}: ${folder} is missing`
  const referenced = references(project, texts)
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const needed = name.replace('@quipu/', '')
    const known = referenced.some((reference) => posix.basename(reference) === needed)
    if (name !== needed && !known) yield `${project}: a reference to ${name} is missing`
  }
}

/** The folders that a project references, from the root. */
function references(project: string, texts: ReadonlyMap<string, string>): string[] {
  const { references: found = [] } = JSON.parse(texts.get(project) ?? '{}') as References
  return found.map(({ path }) => posix.join(posix.dirname(project), path))
}
