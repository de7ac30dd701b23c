import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { OptionError } from './options.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const workspace = ['packages', 'hosts'] as const

/**
 * Copies the sources of another release, with the dependencies that are installed here.
 *
 * @param from  a commit of this clone, or a folder with its sources
 * @param folder  created; outside of `node_modules`, where Node runs no TypeScript
 * @throws OptionError when there is no such commit
 */
export function copyRelease(from: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (existsSync(path.join(from, 'hosts'))) copySources(from, folder)
  else checkOut(from, folder)
  linkDependencies(folder)
}

function checkOut(commit: string, folder: string): void {
  const archive = path.join(folder, 'sources.tar')
  const args = ['archive', '--format=tar', `--output=${archive}`, commit, ...workspace]
  try {
    execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (cause) {
    throw new OptionError(`${commit} is no commit of this clone: run git fetch --unshallow`, { cause })
  }
  execFileSync('tar', ['-xf', archive, '-C', folder])
  rmSync(archive)
}

function copySources(from: string, folder: string): void {
  const isSource = (file: string): boolean => !['node_modules', 'dist'].includes(path.basename(file))
  for (const name of workspace)
    cpSync(path.join(from, name), path.join(folder, name), { recursive: true, filter: isSource })
}

type Manifest = {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Links each package to those of the same release, and to other dependencies where they are installed here. */
function linkDependencies(folder: string): void {
  const homes = workspace.flatMap((name) => readdirSync(path.join(folder, name)).map((each) => path.join(name, each)))
  const manifests = new Map(
    homes
      .filter((home) => existsSync(path.join(folder, home, 'package.json')))
      .map((home) => [home, manifestOf(path.join(folder, home))]),
  )
  const byName = new Map(Array.from(manifests, ([home, { name }]) => [name, home]))
  const link = (home: string, name: string): void => {
    const own = byName.get(name)
    const installed = path.join(root, home, 'node_modules', name)
    const place = path.join(folder, home, 'node_modules', name)
    mkdirSync(path.dirname(place), { recursive: true })
    symlinkSync(own === undefined ? installed : path.join(folder, own), place, 'junction')
  }
  for (const [home, { dependencies, devDependencies }] of manifests)
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) link(home, name)
  for (const name of ['@quipu/api', '@quipu/worker']) link('.', name)
}

const manifestOf = (home: string): Manifest =>
  JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as Manifest
