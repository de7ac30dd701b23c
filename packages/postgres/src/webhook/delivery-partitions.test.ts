import { expect, test } from 'vitest'
import { openTransaction, doesWait } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { ensurePartitions } from '../migration/migrate.ts'

const harness = useStoreHarness()

const partitions = () =>
  harness.sql(`
    select inhrelid::regclass::text as name, inhrelid::int as id from pg_inherits
    where inhparent in ('quipu.delivery'::regclass, 'quipu.delivered_run'::regclass) order by name`)

test('existing partitions stay, and a missing one is created', async () => {
  const before = await partitions()
  expect(before).toHaveLength(2 * 5)
  await ensurePartitions(harness.stores.url)
  expect(await partitions()).toEqual(before)
  const last = before.at(-2)?.['name']
  expect(last).toMatch(/^quipu\.delivery_\d{4}_\d\d$/)
  await harness.sql(`drop table ${String(last)}`)
  await ensurePartitions(harness.stores.url)
  const names = (rows: typeof before) => rows.map(({ name }) => name)
  expect(names(await partitions())).toEqual(names(before))
})

test('a call waits for a concurrent one, and creates no partition again', async () => {
  const last = (await partitions()).at(-2)?.['name']
  await harness.sql(`drop table ${String(last)}`)
  const creating = await openTransaction(harness.stores.url)
  await creating.sql('select quipu.ensure_partitions()')
  const second = ensurePartitions(harness.stores.url)
  await doesWait(harness.sql, second)
  await creating.commit()
  await second
  expect(await partitions()).toHaveLength(2 * 5)
})
