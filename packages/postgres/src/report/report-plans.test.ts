import pg from 'pg'
import { expect, test } from 'vitest'
import { clientConfig } from '../connection/connection.ts'
import { openTestStores } from '../test/stores.fixture.ts'
import { reportStatements } from './report-store.ts'

const searched: Readonly<Record<string, readonly RegExp[]>> = {
  'report.payouts': [/payout_end_log .*\n\s+Index Cond: .*tenant_id.*ended_at.*ended_at/, /payout_pkey/, /quote_pkey/],
  'report.refunds': [
    /funding_entry_type .*\n\s+Index Cond: .*tenant_id.*type.*logged_at/,
    /adjustment_pkey/,
    /quote_pkey/,
  ],
  'report.raw_payouts': [/payout_pkey/, /wallet_pkey/, /quote_pkey/],
  'report.raw_refunds': [/funding_entry_type/, /adjustment_pkey/, /quote_pkey/],
}

test.each(reportStatements)(
  '$name searches by tenant and time, and reads wallets alone whole',
  async ({ name, text, sumsMany }) => {
    await using opened = new AsyncDisposableStack()
    const stores = opened.adopt(await openTestStores(), (each) => each.close())
    const client = opened.adopt(new pg.Client(clientConfig({ url: stores.url })), (each) => each.end())
    await client.connect()
    if (sumsMany) await client.query('set enable_bitmapscan = on')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/Seq Scan (?!on wallet )|Hash Join|Merge Join/)
    for (const index of searched[name] ?? [/none/]) expect(plan).toMatch(index)
  },
)
