import { expect, test } from 'vitest'
import { readDocument } from './documents.fixture.ts'
import { roleDatabase } from '../harness/database-role.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'

const [, month = ''] = readDocument('docs/operations/database.md')
  .blocks.filter(({ language }) => language === 'sql')
  .map(({ text }) => text)

test('the deletion of a month by the handbook keeps every payout, event and balance', async () => {
  await using database = await roleDatabase()
  const { asOwner } = database
  await using harness = await openPayoutHarness(database)
  const api = await harness.openApi()
  const read = async () => {
    const paths = ['payouts', 'events', 'wallets', 'wallets/transactions']
    const answers = await Promise.all(paths.map((path) => api.get(`/v1/${path}`)))
    return answers.map(({ json }) => json)
  }
  await api.pay(await harness.order(api))
  const tables = ['delivery', 'delivered_run']
  for (const table of tables)
    await asOwner(`create table quipu.${table}_2026_01 partition of quipu.${table}
      for values from ('2026-01-01Z') to ('2026-02-01Z')`)
  const before = await read()
  await asOwner(month)
  for (const table of tables)
    expect(await asOwner(`select to_regclass('quipu.${table}_2026_01')::text as name`)).toEqual([{ name: null }])
  expect(await read()).toEqual(before)
  expect((await api.pay(await harness.order(api))).json).toMatchObject({ status: 'completed' })
})
