import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase, statement } from '../connection/database.ts'
import { findForCreateStatement } from './find-for-create.ts'
import { migratedDatabase } from '../test/stores.fixture.ts'

test('a statement whose first values match few rows keeps its generic plan', async () => {
  const { url, drop } = await migratedDatabase()
  const database = openDatabase({ url })
  for (let times = 0; times < 8; times++)
    await database.readLatest(findForCreateStatement, [['ten_a'], ['order-1'], [randomUUID()], null])
  const counts = statement('counts')`select custom_plans, generic_plans from pg_prepared_statements where name = $1`
  const [row] = await database.readLatest<Plans>(counts, [findForCreateStatement.name])
  expect(row).toEqual({ custom_plans: 0n, generic_plans: 8n })
  await database.close()
  await drop()
})

type Plans = { readonly custom_plans: bigint; readonly generic_plans: bigint }
