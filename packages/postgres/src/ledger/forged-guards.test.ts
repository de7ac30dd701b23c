import { describe, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

/** The differences of guards after this change, which is undone. */
async function foundAfter(text: string): Promise<readonly string[]> {
  const { sql } = harness
  await sql('begin')
  try {
    await sql(text)
    await sql('select quipu.check_ledger(1, 1, 0)')
    const rows = await sql(`
      select subject || ': ' || detail as text from quipu.difference
      where check_name = 'ledger' and kind = 'guard' and tenant_id is null and status = 'open'
      order by 1`)
    return rows.map((row) => String(row['text']))
  } finally {
    await sql('rollback')
  }
}

const missing = 'the unique index is missing or invalid'

describe('a missing guard is found', () => {
  test.each(['payout_quote', 'payout_end_log', 'funding_entry_posting', 'deposit_transfer'])(
    'the unique index %s',
    async (name) => {
      expect(await foundAfter('select')).toEqual([])
      expect(await foundAfter(`drop index quipu.${name}`)).toEqual([`${name}: ${missing}`])
    },
  )

  test.each([
    ['payout', 'payout_pkey'],
    ['payout', 'payout_transaction_id_tenant_id_key'],
    ['payout_end', 'payout_end_pkey'],
    ['funding_entry', 'funding_entry_pkey'],
    ['adjustment', 'adjustment_pkey'],
    ['deposit', 'deposit_pkey'],
  ])('the key of %s, %s', async (table, name) => {
    const text = `alter table quipu.${table} drop constraint ${name} cascade`
    expect(await foundAfter(text)).toEqual([`${name}: ${missing}`])
  })

  test('an index that is not unique', async () => {
    const text = `drop index quipu.payout_quote;
      create index payout_quote on quipu.payout (quote_id, tenant_id) where hold is not null`
    expect(await foundAfter(text)).toEqual([`payout_quote: ${missing}`])
  })

  test('an index that is not valid', async () => {
    const text = `set local allow_system_table_mods = on;
      update pg_index set indisvalid = false where indexrelid = 'quipu.payout_quote'::regclass`
    expect(await foundAfter(text)).toEqual([`payout_quote: ${missing}`])
  })

  test.each(['quote', 'payout', 'payout_end', 'funding_entry', 'adjustment', 'balance_checkpoint', 'audit_log'])(
    'the trigger against changes of %s',
    async (table) => {
      const expected = [`${table}: the trigger append_only is missing or disabled`]
      for (const change of ['disable', 'enable replica'])
        expect(await foundAfter(`alter table quipu.${table} ${change} trigger append_only`)).toEqual(expected)
      expect(await foundAfter(`drop trigger append_only on quipu.${table}`)).toEqual(expected)
    },
  )

  test('the first of two triggers', async () => {
    const second = 'alter table quipu.quote disable trigger used_quote_stays'
    expect(await foundAfter(second)).toEqual(['quote: the trigger used_quote_stays is missing or disabled'])
    const both = `${second}; alter table quipu.quote disable trigger append_only`
    expect(await foundAfter(both)).toEqual(['quote: the trigger append_only is missing or disabled'])
  })
})

test('a guard that is in place again is no difference', async () => {
  const found = await foundAfter(`
    alter table quipu.quote disable trigger append_only;
    select quipu.check_ledger(1, 1, 0);
    alter table quipu.quote enable trigger append_only`)
  expect(found).toEqual([])
})
