import { expectPlans } from '../test/plans.fixture.ts'
import { comparedStatements } from './compared-records.ts'
import { reconciliationStatements } from './reconciliation-store.ts'

expectPlans([...reconciliationStatements, ...comparedStatements], {
  'reconciliation.find': { reconciliation_run_pkey: 1 },
  'reconciliation.list': { reconciliation_run_newest: 1 },
  'reconciliation.last_scheduled': { reconciliation_run_scheduled: 1 },
  'reconciliation.find_ended': { payout_end_pkey: 1, payout_pkey: 2 },
  'reconciliation.find_processing': { payout_open_pkey: 1, payout_pkey: 2, payout_end_pkey: 1 },
  'reconciliation.find_completed': { payout_pkey: 2 },
  'reconciliation.address_funds': { top_up_address_index_chain_key: 2, deposit_of_address: 1 },
})
