import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** pnpm prepends itself to the path of the scripts it runs; otherwise npx finds it. */
const pnpm = process.env['npm_config_user_agent']?.startsWith('pnpm/') ? ['pnpm'] : ['npx', '-y', 'pnpm@12']

async function run(command: readonly string[], cwd: string): Promise<string> {
  const [program = '', ...args] = command
  return (await execute(program, args, { cwd })).stdout
}

const tool = (name: string): string => path.join(repository, 'node_modules', '.bin', name)

/** Packed archives of published packages, by package name. */
export type Archives = AsyncDisposable & Readonly<Record<string, string>>

/** Builds and packs packages of this repository. */
export async function pack(names: readonly string[]): Promise<Archives> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-packed-'))
  await run([tool('tsc'), '-b', ...names.map((name) => `packages/${name}`)], repository)
  const only = names.map((name) => `--filter=@quipu/${name}`)
  await run([...pnpm, '-r', ...only, 'pack', '--pack-destination', folder], repository)
  const archives = (await readdir(folder)).map((file): [string, string] => {
    const [, name = ''] = /^quipu-(.+)-\d+\.\d+\.\d+\.tgz$/.exec(file) ?? []
    return [`@quipu/${name}`, `file:${path.join(folder, file)}`]
  })
  return { ...Object.fromEntries(archives), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

type Manifest = {
  readonly engines?: { readonly node?: string }
  readonly dependencies?: Versions
  readonly peerDependencies?: Versions
}

/** The first version of each range that these packages accept, and the first Node that runs all of them. */
export async function firstVersions(
  archives: Archives,
  names: readonly string[],
): Promise<{ readonly versions: Versions; readonly node: string }> {
  const versions: Record<string, string> = {}
  const nodes: string[] = []
  for (const name of names) {
    const file = (archives[name] ?? '').replace('file:', '')
    const text = await run(['tar', '-xOzf', file, 'package/package.json'], repository)
    const { engines, dependencies, peerDependencies } = JSON.parse(text) as Manifest
    nodes.push((engines?.node ?? '').replace('>=', ''))
    for (const [other, range] of Object.entries({ ...dependencies, ...peerDependencies }))
      if (!other.startsWith('@quipu/')) versions[other] = /[\d.]+/.exec(range)?.[0] ?? range
  }
  const byVersion = new Intl.Collator('en', { numeric: true })
  return { versions, node: nodes.toSorted(byVersion.compare).at(-1) ?? '' }
}

const readManifest = (file: string): unknown => JSON.parse(readFileSync(path.join(repository, file), 'utf8'))

/** The version of a package that this repository is tested with. */
export const installedVersion = (name: string): string =>
  (readManifest(`docs/examples/node_modules/${name}/package.json`) as { readonly version: string }).version

/** The npm package with Node's executable for this platform. */
export function nodePackage(): string {
  const { optionalDependencies } = readManifest('package.json') as { readonly optionalDependencies: Versions }
  const name = Object.keys(optionalDependencies).find((each) => existsSync(path.join(repository, 'node_modules', each)))
  if (name === undefined) throw new Error('the install has no Node for this platform')
  return name
}

/** A project outside the workspace. */
export type Project = AsyncDisposable & {
  /** The names of all installed packages. */
  readonly installed: readonly string[]
  /** Copies an example and runs it with Node alone. @returns its standard output */
  run(example: string): Promise<string>
  /** Copies examples and runs the test files among them with the project's vitest. @returns what vitest prints */
  test(...examples: readonly string[]): Promise<string>
  /** Copies an example and compiles it with every declaration that it reaches. */
  compile(example: string): Promise<string>
}

export type ProjectOptions = {
  /** Versions of other packages to install. */
  readonly others?: Versions
  /** Versions of dependencies, instead of the newest ones that their ranges allow. */
  readonly versions?: Versions
  /** The Node to run with, instead of this process's. */
  readonly node?: Versions
}
export type Versions = Readonly<Record<string, string>>

/** An empty project with these packages installed. Fails when a peer is outside its range. */
export async function openProject(
  archives: Archives,
  names: readonly string[],
  { others = {}, versions = {}, node = {} }: ProjectOptions = {},
): Promise<Project> {
  await using begun = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-empty-project-'))
  begun.defer(() => rm(folder, { recursive: true }))
  const packed = Object.fromEntries(names.map((name) => [name, archives[name]]))
  const dependencies = { ...packed, ...others, ...node }
  const manifest = { name: 'empty-project', private: true, type: 'module', dependencies }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest))
  // The packages' dependencies on each other are in no registry yet.
  const overrides = { ...archives, ...versions }
  const settings = { overrides, strictPeerDependencies: true }
  await writeFile(path.join(folder, 'pnpm-workspace.yaml'), JSON.stringify(settings))
  await run([...pnpm, 'install', '--prod', '--prefer-offline', '--ignore-scripts'], folder)
  const installed = await readdir(path.join(folder, 'node_modules', '.pnpm'))

  const [nodePackage] = Object.keys(node)
  const executable =
    nodePackage === undefined ? process.execPath : path.join(folder, 'node_modules', nodePackage, 'bin', 'node')

  const copy = async (example: string): Promise<string> => {
    const file = path.join(folder, example)
    await copyFile(path.join(repository, 'docs', 'examples', 'src', example), file)
    return file
  }
  const opened = begun.move()
  return {
    installed: installed
      .filter((name) => name.includes('@'))
      .map((name) => name.replace(/(?<=.)@.*/, '').replace('+', '/')),
    run: async (example) => run([executable, await copy(example)], folder),
    test: async (...examples) => {
      for (const example of examples) await copy(example)
      return run([executable, 'node_modules/vitest/vitest.mjs', 'run', '--no-color'], folder)
    },
    compile: async (example) => {
      const types = ['--types', 'node', '--typeRoots', tool('../@types')]
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
      const target = ['--module', 'nodenext', '--target', 'es2024', '--noEmit']
      return run([tool('tsc'), ...target, ...strict, ...types, await copy(example)], folder)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
