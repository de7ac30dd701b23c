import { depositListStatements } from './deposit-list.ts'
import { depositStatements } from './deposit-store.ts'
import { faucetStatements } from '../faucet/faucet-store.ts'
import { expectPlans } from '../test/plans.fixture.ts'
import { scanStatements } from './scan-store.ts'
import { addressStatements } from './top-up-address-store.ts'
import { walletStatements } from '../ledger/wallet-store.ts'
import { transactionStatements } from '../ledger/wallet-transactions.ts'

const statements = [
  ...addressStatements,
  ...scanStatements,
  ...depositStatements,
  ...depositListStatements,
  ...walletStatements,
  ...transactionStatements,
  ...faucetStatements,
]

expectPlans(statements, {
  'top_up_address.list': { top_up_address_in_use: 1 },
  'top_up_address.find_in_use': { top_up_address_in_use: 2 },
  'top_up_address.match': { top_up_address_pkey: 2 },
  'scan.claim': {},
  'scan.renew': { scan_pkey: 2 },
  'scan.release': { scan_pkey: 2 },
  'scan.at': { scan_pkey: 2 },
  'scan.refs_above': { scanned_block_pkey: 2 },
  'scan.unconfirmed': { deposit_unconfirmed: 2 },
  'scan.rewind': { scan_pkey: 2, scanned_block_pkey: 2 },
  'deposit.find': { deposit_pkey: 1 },
  'deposit.claim_due': {
    deposit_due: 1,
    deposit_pkey: 1,
    top_up_address_tenant_id_address_chain_key: 3,
    tenant_pkey: 1,
  },
  'deposit.release': { deposit_pkey: 1 },
  'deposit.list': { deposit_newest: 3 },
  'deposit.list_by_status': { deposit_newest_by_status: 4 },
  'deposit.list_all': { deposit_pkey: 2 },
  'deposit.list_uncredited': { deposit_uncredited: 2 },
  'deposit.list_open_reviews': { deposit_open_review: 2 },
  'wallet.find': { wallet_pkey: 1 },
  'wallet.totals': { transfer_tenant_id_created_at_seq_idx: 1 },
  'wallet.books': { wallet_pkey: 1, closing_pkey: 1, transfer_tenant_id_created_at_seq_idx: 2 },
  'wallet.transactions': { transfer_tenant_id_created_at_seq_idx: 5, payout_pkey: 2 },
  'wallet.transactions_but_payouts': {
    transfer_tenant_id_created_at_seq_idx1: 4,
    payout_pkey: 2,
  },
  'faucet.find': { faucet_send_tenant_id_key_key: 2 },
  'faucet.get': { faucet_send_pkey: 2 },
  'faucet.usage': { faucet_send_of_tenant: 2, faucet_send_to_account: 2, faucet_minute_pkey: 1 },
})
