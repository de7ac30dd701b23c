import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { copyRelease } from '../../run/release-sources.ts'
import type { Release } from './release.ts'

const root = path.resolve(import.meta.dirname, '../../../../..')
const entry = 'release.mjs'

/** The members of `Release`, from the packages of the other release. */
const exported = `export { AppSettings, composeUseCases } from '@quipu/api'
export { workerLoops } from '@quipu/worker'
export { WorkerSettings } from '@quipu/worker/settings'
`

/** The one class that both releases share: each takes an error of it for an outage. */
const shared = 'packages/core/src/unavailable.ts'

/**
 * Copies the sources of another release, to be imported beside this one.
 *
 * @param from  a commit of this clone, or a folder with its sources
 * @throws OptionError when there is no such commit
 */
export function copyOtherRelease(from: string, folder: string): void {
  copyRelease(from, folder)
  writeFileSync(path.join(folder, entry), exported)
  const url = JSON.stringify(pathToFileURL(path.join(root, shared)).href)
  writeFileSync(path.join(folder, shared), `export * from ${url}\n`)
}

/**
 * @param folder  as `copyOtherRelease` left it
 * @throws Error when it lacks a member of `Release`, as early commits do
 */
export const loadRelease = async (folder: string): Promise<Release> =>
  (await import(pathToFileURL(path.join(folder, entry)).href)) as Release
