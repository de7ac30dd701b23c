import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()
const document = readFileSync(new URL('../../../../docs/operations/data.md', import.meta.url), 'utf8')

test('data.md says of each table what is kept, how long and why', async () => {
  const rows = Array.from(document.matchAll(/^\| (`[^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm))
  const named = rows.flatMap(([, names = '']) => Array.from(names.matchAll(/`([a-z_]+)`/g), ([, name]) => name))
  for (const [, , data = '', kept = ''] of rows) expect([data.trim(), kept.trim()]).not.toContain('')
  const tables = await harness.sql(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'quipu'::regnamespace and c.relkind in ('r', 'p') and c.relname !~ '_[0-9]{4}_?[0-9]{2}([0-9]{2})?$'`)
  expect(named.toSorted()).toEqual(tables.map(({ name }) => String(name)).toSorted())
})
