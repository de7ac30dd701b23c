import { Unavailable, usdt } from '@quipu/core'
import { builders } from '@quipu/contracts'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { postgresStores } from '../stores.ts'
import { openStoreHarness } from '../test/stores.fixture.ts'
import { migrateFrom } from './migrate.ts'

const ours = new URL('../../migrations/', import.meta.url)
const later = `
  alter table quipu.wallet add colour text;
  update quipu.wallet set colour = 'red';
  alter table quipu.wallet alter colour set not null;
  update quipu.tenant set legal_name = legal_name;`

test('a migration updates every row, also those of a tenant that has moved, and nothing else does', async () => {
  const harness = await openStoreHarness()
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-migrations-'))
  onTestFinished(async () => {
    await harness.close()
    await rm(folder, { recursive: true })
  })
  const { sql, stores } = harness
  const [stays, moved] = [await harness.newWallet(usdt(10n)), await harness.newWallet(usdt(10n))]
  const quote = await harness.newQuote(moved, { source: usdt(1n) })
  await sql('select quipu.drain_tenants($1, $2)', [[moved], 'h'])
  for (const step of ['stop_tenants', 'leave_cell']) await sql(`select quipu.${step}($1)`, [[moved]])
  await sql('select quipu.freeze_tenants()')

  await cp(ours, folder, { recursive: true })
  await writeFile(path.join(folder, '9999-later.sql'), later)
  expect(await migrateFrom(pathToFileURL(`${folder}/`), stores.url, {})).toEqual(['9999-later.sql'])
  expect(await sql('select tenant_id from quipu.wallet order by tenant_id')).toEqual(
    [stays, moved].toSorted().map((tenant_id) => ({ tenant_id })),
  )
  await expect(sql(`update quipu.wallet set colour = 'blue'`)).rejects.toThrow(
    `the tenant ${moved} has moved to cell h`,
  )

  // A process that says that it migrates pays nothing.
  const url = new URL(stores.processUrl)
  url.searchParams.set('options', '-c quipu.migrating=on')
  await using lying = postgresStoresAt(url.href)
  const commit = lying.stores.payouts.commit(builders(lying.stores).acceptCommit(quote))
  await expect(commit).rejects.toThrow(Unavailable)
})

const postgresStoresAt = (url: string) => {
  const stores = postgresStores({ url })
  return { stores, [Symbol.asyncDispose]: () => stores.close() }
}
