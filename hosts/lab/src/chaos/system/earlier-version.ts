import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository, runCommand, sourceFlags } from '@quipu/local/testing'

/**
 * Checks out the sources of an earlier version, with the dependencies that are installed now.
 *
 * @param commit  a commit, branch or tag of this clone
 * @param folder  created; outside of `node_modules`, where Node runs no TypeScript
 * @throws Error when the clone does not have the commit
 */
export function checkOutEarlierVersion(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const archive = path.join(folder, 'sources.tar')
  try {
    const args = ['archive', '--format=tar', `--output=${archive}`, commit, 'packages', 'hosts', 'docs']
    execFileSync('git', args, { cwd: repository })
  } catch (cause) {
    throw new Error(`commit ${commit} is missing: run git fetch --unshallow`, { cause })
  }
  execFileSync('tar', ['-xf', archive, '-C', folder])
  rmSync(archive)
  // Links in the packages are relative: to packages of the checkout, and to the installed dependencies.
  symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
  for (const group of ['packages', 'hosts'])
    for (const name of readdirSync(path.join(folder, group))) {
      const installed = path.join(repository, group, name, 'node_modules')
      if (existsSync(installed))
        cpSync(installed, path.join(folder, group, name, 'node_modules'), {
          recursive: true,
          verbatimSymlinks: true,
          filter: (source) => !source.includes('/.bin') && !source.includes('/.cache'),
        })
    }
}

const program = `
  const { migrateWithOperators } = await import(process.env.HARNESS)
  await migrateWithOperators(process.env.DATABASE_URL)
  process.exit()`

/** Migrates a database to an earlier version, and issues the operators' tokens of the tests. */
export async function migrateEarlierVersion(root: string, url: string): Promise<void> {
  const harness = path.join(root, 'hosts/local/src/test/harness/tenant.fixture.ts')
  const command = [process.execPath, ...sourceFlags, '--input-type=module', '--eval', program]
  const env = { HARNESS: pathToFileURL(harness).href, DATABASE_URL: url }
  const migration = runCommand('the earlier version', { command, env, cwd: root })
  const code = await migration.ended
  if (code !== 0) throw new Error(`the earlier version did not migrate: ${migration.output()}`)
}
