import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase, type Statement } from '../connection/database.ts'
import { listStatements } from './payout-list.ts'
import { findForCreateStatement } from './find-for-create.ts'
import { decisionStatements } from './payout-decision-store.ts'
import { networkCallStatements } from './network-call-store.ts'
import { findStatements } from './payout-store.ts'
import { expectPlans } from '../test/plans.fixture.ts'
import { migratedDatabase } from '../test/stores.fixture.ts'

expectPlans(
  [findForCreateStatement, ...findStatements, ...listStatements, ...networkCallStatements, ...decisionStatements],
  {
    'payout.find': { payout_transaction_id_tenant_id_key: 2, payout_end_pkey: 2, quote_pkey: 2 },
    'payout.find_for_create': {
      payout_transaction_id_tenant_id_key: 2,
      quote_pkey: 2,
      payout_quote: 2,
      qr_resolution_pkey: 2,
    },
    'payout.get': { payout_pkey: 2, payout_end_pkey: 2, quote_pkey: 2 },
    'payout.list': { payout_pkey: 3, payout_end_pkey: 2, quote_pkey: 2 },
    'payout.list_completed': { payout_pkey: 3, payout_end_pkey: 2, quote_pkey: 2 },
    'payout.last_scanned': { payout_pkey: 3 },
    'payout.list_by_status': { payout_end_exceptions: 4, payout_pkey: 2, quote_pkey: 2 },
    'payout.list_open': { payout_open_tenant: 1, payout_pkey: 2, payout_end_pkey: 2, quote_pkey: 2 },
    'network_call.list': { network_call_pkey: 3 },
    'payout.find_undecided': { payout_pkey: 1, payout_end_pkey: 1, quote_pkey: 2, network_call_pkey: 2 },
    'payout.list_by_transaction': { payout_transaction_id_tenant_id_key: 2, quote_pkey: 2 },
  },
)

test('a statement whose first values match few rows keeps its generic plan', async () => {
  const { url, drop } = await migratedDatabase()
  const database = openDatabase({ url })
  for (let times = 0; times < 8; times++)
    await database.readLatest(findForCreateStatement, [['ten_a'], ['order-1'], [randomUUID()], null])
  const counts: Statement = {
    name: 'counts',
    text: 'select custom_plans, generic_plans from pg_prepared_statements where name = $1',
  }
  const [row] = await database.readLatest<Plans>(counts, [findForCreateStatement.name])
  expect(row).toEqual({ custom_plans: 0n, generic_plans: 8n })
  await database.close()
  await drop()
})

type Plans = { readonly custom_plans: bigint; readonly generic_plans: bigint }
