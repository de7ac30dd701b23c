import { type PostgresServer, startPostgres } from '@quipu/embedded-postgres'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asRole } from '../test/as-role.fixture.ts'
import { migrate } from '../migration/migrate.ts'
import { type StoreHarness, openStoreHarness } from '../test/stores.fixture.ts'
import { confirmRestore, readGate } from './restore.ts'

/** The signs of a restored database. */
let harness: StoreHarness
let folder: string
let recovered: PostgresServer
beforeAll(async () => {
  harness = await openStoreHarness()
  folder = await mkdtemp(path.join(tmpdir(), 'quipu-recovered-'))
  // As the server is configured after a recovery to an instant.
  const settings = { recovery_target_time: '2026-04-01 00:00:00+00' }
  recovered = await startPostgres({ dataDir: folder, durability: 'none', settings })
  await migrate(recovered.url)
})
afterAll(async () => {
  await harness.close()
  await recovered.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Whether the database is a restored one after the change, which is then confirmed. */
async function isRestored(url: string, change: string): Promise<boolean> {
  await asRole(url, (sql) => sql(`update quipu.lineage set ${change}`))
  const { halt } = await readGate(url)
  await confirmRestore(url, 'a test', new Date())
  await asRole(url, (sql) => sql('update quipu.lineage set timeline = quipu.current_timeline()'))
  expect((await readGate(url)).halt).toBeNull()
  return halt?.reason === 'restored'
}

test('another cluster is a restored one, with or without a recovery target', async () => {
  for (const url of [harness.stores.url, recovered.url]) {
    expect(await isRestored(url, 'system_id = system_id')).toBe(false)
    expect(await isRestored(url, 'system_id = system_id + 1')).toBe(true)
  }
})

test('another history is a restored one if the server has a recovery target', async () => {
  expect(await isRestored(harness.stores.url, 'timeline = timeline + 1')).toBe(false)
  expect(await isRestored(recovered.url, 'timeline = timeline + 1')).toBe(true)
})

test('the timeline is the server’s', async () => {
  const both = `select quipu.current_timeline() = c.timeline_id as is_own, l.timeline = c.timeline_id as is_stored
    from pg_control_checkpoint() c, quipu.lineage l`
  expect(await harness.sql(both)).toEqual([{ is_own: true, is_stored: true }])
})
