import { migrationNames } from '../migration/migrate.ts'
import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { reusedStores } from '../test/reused-stores.fixture.ts'
import { previousVersion, previousVersionFolder } from './previous-version.fixture.ts'

const ours = new URL('../../migrations/', import.meta.url)
const theirs = new URL('migrations/', previousVersionFolder)

test('today’s migrations contain those of the previous version, unchanged', async () => {
  const names = await migrationNames(theirs)
  expect(names.length).toBeGreaterThan(0)
  expect(await migrationNames(ours)).toEqual(expect.arrayContaining([...names]))
  for (const name of names) {
    const [now, then] = await Promise.all(
      [ours, theirs].map((folder) => readFile(new URL(name, folder), 'utf8')),
    )
    expect(
      now === then,
      `${name} has changed: see packages/config/src/migration-checksums.ts`,
    ).toBe(true)
  }
})

// The stores of the previous version pass their own contract suites on today's schema.
const previous = await previousVersion()
const { open, drop } = reusedStores(previous.postgresStores)
afterAll(drop)
previous.storeContracts('today’s schema, by the previous version', open)
