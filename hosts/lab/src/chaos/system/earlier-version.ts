import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runCommand, sourceFlags } from '@quipu/local/testing'

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
