import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Release } from './release.ts'

const root = path.resolve(import.meta.dirname, '../../../../..')
const workspace = ['packages', 'hosts'] as const
const entry = 'release.mjs'

/** What `Release` has, from the packages of the other release. */
const exported = `export { AppSettings, composeUseCases } from '@quipu/api'
export { workerLoops } from '@quipu/worker'
export { WorkerSettings } from '@quipu/worker/settings'
`

/** The one class that both releases share: each takes an error of it for an outage. */
const shared = 'packages/core/src/unavailable.ts'

/**
 * Copies the sources of another release, to be imported beside this one. Its dependencies are those that this one has.
 *
 * @param from  a commit of this repository, or a folder with its sources
 * @returns a new folder below the system's one for temporary files
 * @throws Error when there is no such commit
 */
export function copyRelease(from: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'quipu-release-'))
  try {
    fill(folder, from)
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  return folder
}

function fill(folder: string, from: string): void {
  if (existsSync(path.join(from, 'hosts'))) copySources(from, folder)
  else checkOut(from, folder)
  linkDependencies(folder)
  writeFileSync(path.join(folder, entry), exported)
  const url = JSON.stringify(pathToFileURL(path.join(root, shared)).href)
  writeFileSync(path.join(folder, shared), `export * from ${url}\n`)
}

/**
 * @param folder  as `copyRelease` returned it
 * @throws Error when it does not have what `Release` has, as before 24 November 2026
 */
export const loadRelease = async (folder: string): Promise<Release> =>
  (await import(pathToFileURL(path.join(folder, entry)).href)) as Release

function checkOut(commit: string, folder: string): void {
  const archive = path.join(folder, 'sources.tar')
  const args = ['archive', '--format=tar', `--output=${archive}`, commit, ...workspace]
  execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  execFileSync('tar', ['-xf', archive, '-C', folder])
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
