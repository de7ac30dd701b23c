import { listStatements } from './payout-list.ts'
import { lookAtPayouts } from './payout-look.ts'
import { queueStatements } from './payout-queue.ts'
import { findStatements } from './payout-store.ts'
import { expectPlans } from './plans.fixture.ts'

expectPlans([lookAtPayouts, ...findStatements, ...listStatements, ...queueStatements], {
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
})

expectPlans(
  queueStatements,
  {
    'payout.move_lease': { payout_open_pkey: 2 },
    'payout.claim_due': { payout_open_due: 1, payout_pkey: 2, quote_pkey: 2 },
    'payout.wake': { payout_open_pkey: 1 },
  },
  ['quipu.payout_open'],
)
