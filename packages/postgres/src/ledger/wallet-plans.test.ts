import { expectPlans } from '../test/plans.fixture.ts'
import { walletStatements } from './wallet-store.ts'
import { transactionStatements } from './wallet-transactions.ts'

expectPlans([...walletStatements, ...transactionStatements], {
  'wallet.find': { wallet_pkey: 1 },
  'wallet.totals': { payout_end_log: 1 },
  'wallet.books': {
    wallet_pkey: 1,
    balance_checkpoint_pkey: 1,
    payout_end_log: 2,
    funding_entry_pkey: 2,
    payout_open_tenant: 1,
    payout_pkey: 2,
    payout_end_pkey: 2,
  },
  'wallet.transactions_last_scanned': { payout_end_log: 4 },
  'wallet.transactions': { payout_end_log: 4, funding_entry_type: 5, payout_pkey: 2 },
})
