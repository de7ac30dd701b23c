import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** pnpm prepends itself to the path of the scripts it runs; otherwise npx finds it. */
const pnpm = process.env['npm_config_user_agent']?.startsWith('pnpm/')
  ? ['pnpm']
  : ['npx', '-y', 'pnpm@12']

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
  return {
    ...Object.fromEntries(archives),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

/** A project outside the workspace. */
export type Project = AsyncDisposable & {
  /** The names of all installed packages. */
  readonly installed: readonly string[]
  /** Copies an example and runs it with Node alone. @returns its standard output */
  run(example: string): Promise<string>
  /** Copies an example and compiles it with every declaration that it reaches. */
  compile(example: string): Promise<string>
}

/** An empty project with these packages installed. */
export async function openProject(archives: Archives, names: readonly string[]): Promise<Project> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-empty-project-'))
  const dependencies = Object.fromEntries(names.map((name) => [name, archives[name]]))
  const manifest = { name: 'empty-project', private: true, type: 'module', dependencies }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest))
  // The packages' dependencies on each other are in no registry yet.
  const settings = JSON.stringify({ overrides: archives })
  await writeFile(path.join(folder, 'pnpm-workspace.yaml'), settings)
  await run([...pnpm, 'install', '--prod', '--prefer-offline', '--ignore-scripts'], folder)
  const installed = await readdir(path.join(folder, 'node_modules', '.pnpm'))

  const copy = async (example: string): Promise<string> => {
    const file = path.join(folder, example)
    await copyFile(path.join(repository, 'docs', 'examples', 'src', example), file)
    return file
  }
  return {
    installed: installed
      .filter((name) => name.includes('@'))
      .map((name) => name.replace(/(?<=.)@.*/, '').replace('+', '/')),
    run: async (example) => run([process.execPath, await copy(example)], folder),
    compile: async (example) => {
      const types = ['--types', 'node', '--typeRoots', tool('../@types')]
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
      const target = ['--module', 'nodenext', '--target', 'es2024', '--noEmit']
      return run([tool('tsc'), ...target, ...strict, ...types, await copy(example)], folder)
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
