import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientConfig } from './connection.ts'
import { listStatements } from './payout-list.ts'
import { queueStatements } from './payout-queue.ts'
import { lookAtPayouts } from './payout-look.ts'
import { findStatements } from './payout-store.ts'
import { openTestStores, type TestStores } from './stores.fixture.ts'

/** Which index finds the rows of each table, and by how many of its columns at least. */
const expected: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'payout.find': { payout_tenant_id_transaction_id_key: 2, payout_end_pkey: 2, quote_pkey: 2 },
  'payout.look': {
    payout_tenant_id_transaction_id_key: 2,
    payout_end_pkey: 2,
    quote_pkey: 2,
    qr_resolution_pkey: 2,
  },
  'payout.get': { payout_pkey: 2, payout_end_pkey: 2, quote_pkey: 2 },
  'payout.list': { payout_pkey: 3, payout_end_pkey: 2, quote_pkey: 2 },
  'payout.list_by_status': { payout_end_newest: 4, payout_pkey: 2, quote_pkey: 2 },
  'payout.list_by_transaction': { payout_tenant_id_transaction_id_key: 2, quote_pkey: 2 },
  'payout.move_lease': { payout_open_pkey: 2 },
  'payout.claim_due': { payout_open_due: 1, payout_open_pkey: 2, payout_pkey: 2, quote_pkey: 2 },
  'payout.wake': { payout_open_pkey: 1 },
}

/** Plans that are made once and kept: what matters is that they are right before the first row. */
describe('on a database without rows or statistics', () => {
  let stores: TestStores
  let client: pg.Client
  beforeAll(async () => {
    stores = await openTestStores()
    client = new pg.Client(clientConfig({ url: stores.url }))
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await stores.close()
  })

  const statements = [lookAtPayouts, ...findStatements, ...listStatements, ...queueStatements]
  test.each(statements)('$name finds its rows by the index made for it', async (statement) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (generic_plan) ${statement.text}`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/Seq Scan|Hash Join|Merge Join|Sort Method/)
    const used = indexesIn(plan)
    for (const [index, columns] of Object.entries(expected[statement.name] ?? { none: 1 }))
      expect(used[index], `${index} in\n${plan}`).toBeGreaterThanOrEqual(columns)
  })
})

/** The indexes of a plan, each with the fewest conditions by which it is searched. */
function indexesIn(plan: string): Record<string, number> {
  const used: Record<string, number> = {}
  const scan = /Index (?:Only )?Scan(?: Backward)? using (\w+) .*\n(?:\s+Index Cond: (.*))?/g
  for (const [, index = '', condition] of plan.matchAll(scan)) {
    const columns = condition === undefined ? 0 : condition.split(' AND ').length
    used[index] = Math.min(used[index] ?? columns, columns)
  }
  return used
}
