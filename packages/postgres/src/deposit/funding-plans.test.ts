import { depositListStatements } from './deposit-list.ts'
import { allDepositsStatements } from './deposit-list-all.ts'
import { depositStatements } from './deposit-store.ts'
import { entryStatements } from './durable-entries.ts'
import { faucetStatements } from '../faucet/faucet-store.ts'
import { expectPlans } from '../test/plans.fixture.ts'
import { scanStatements } from './scan-store.ts'
import { addressStatements } from '../top-up-address/top-up-address-store.ts'
import { adjustmentStatements } from '../ledger/adjust-wallets.ts'

const statements = [
  ...addressStatements,
  ...scanStatements,
  ...depositStatements,
  ...depositListStatements,
  ...allDepositsStatements,
  ...entryStatements,
  ...adjustmentStatements,
  ...faucetStatements,
]

expectPlans(statements, {
  'top_up_address.list': { top_up_address_in_use: 1 },
  'top_up_address.list_all': { top_up_address_of_tenant: 1 },
  'top_up_address.find_in_use': { top_up_address_in_use: 2 },
  'top_up_address.list_by_other_keys': { top_up_address_pkey: 1 },
  'top_up_address.match': { top_up_address_pkey: 2 },
  'scan.at': { scan_pkey: 2 },
  'scan.refs_above': { scanned_block_pkey: 2 },
  'scan.unconfirmed': { deposit_unconfirmed: 2 },
  'deposit.get': { deposit_newest: 2 },
  'deposit.find': { deposit_pkey: 1 },
  'deposit.attempts': { deposit_pkey: 1 },
  'deposit.screening': { deposit_pkey: 1 },
  'deposit.claimed': { deposit_newest: 2, top_up_address_address_tenant_id_chain_key: 3, tenant_pkey: 1 },
  'deposit.durable_entries': { funding_entry_type: 3 },
  'wallet.posted_adjustments': { adjustment_pkey: 2 },
  'deposit.list': { deposit_newest: 3 },
  'deposit.list_credited': { deposit_newest: 3 },
  'deposit.list_by_status': { deposit_newest_uncredited: 4 },
  'deposit.list_all': { deposit_pkey: 2 },
  'deposit.list_uncredited': { deposit_uncredited: 2 },
  'deposit.list_open_reviews': { deposit_open_review: 2 },
  'deposit.list_by_transaction': { deposit_transfer: 1 },
  'deposit.scan_uncredited': { deposit_uncredited: 2 },
  'deposit.last_of_scan_uncredited': { deposit_uncredited: 2 },
  'deposit.scan_tenant': { deposit_newest: 3 },
  'deposit.last_of_scan_tenant': { deposit_newest: 3 },
  'deposit.tenant_of_address': { deposit_of_address: 1 },
  'faucet.find': { faucet_send_tenant_id_key_key: 2 },
  'faucet.get': { faucet_send_pkey: 2 },
  'faucet.usage': { faucet_send_of_tenant: 2, faucet_send_to_account: 2, faucet_minute_pkey: 1 },
})
