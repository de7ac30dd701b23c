import { expectPlans } from '../test/plans.fixture.ts'
import { statementStatements } from './statement-store.ts'

expectPlans(statementStatements, {
  'statement.balances_before': { balance_checkpoint_at: 1, payout_end_log: 1, funding_entry_pkey: 1 },
  'statement.entries': { payout_end_log: 1, funding_entry_pkey: 1, payout_pkey: 2 },
})
