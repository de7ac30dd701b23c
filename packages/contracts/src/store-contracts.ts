import { addressStoreContract } from './address-store-contract.ts'
import { apiKeyStoreContract } from './api-key-store-contract.ts'
import { auditLogContract } from './audit-log-contract.ts'
import { backlogStoreContract } from './backlog-store-contract.ts'
import { deliveryStoreContract } from './delivery-store-contract.ts'
import { depositStoreContract } from './deposit-store-contract.ts'
import { eventStoreContract } from './event-store-contract.ts'
import { faucetStoreContract } from './faucet-store-contract.ts'
import type { OpenHarness } from './harness.ts'
import { oneInstantContract } from './one-instant-contract.ts'
import { payoutStoreContract } from './payout-store-contract.ts'
import { quoteStoreContract, resolutionStoreContract } from './quote-store-contract.ts'
import type { Runs } from './runs.ts'
import { scanStoreContract } from './scan-store-contract.ts'
import { tenantStoreContract } from './tenant-store-contract.ts'
import { walletModelContract } from './wallet-model-contract.ts'
import { walletStoreContract } from './wallet-store-contract.ts'
import { walletTransactionsContract } from './wallet-transactions-contract.ts'
import { webhookStoreContract } from './webhook-store-contract.ts'

/** Every store's suite over one kind of database: what a new adapter of all stores must pass. */
export function storeContracts(name: string, open: OpenHarness, runs: Runs = {}): void {
  payoutStoreContract(name, open, runs)
  quoteStoreContract(name, open, runs)
  resolutionStoreContract(name, open, runs)
  walletStoreContract(name, open)
  walletModelContract(name, open, runs)
  tenantStoreContract(name, open, runs)
  apiKeyStoreContract(name, open, runs)
  eventStoreContract(name, open, runs)
  auditLogContract(name, open, runs)
  addressStoreContract(name, open)
  scanStoreContract(name, open)
  depositStoreContract(name, open, runs)
  walletTransactionsContract(name, open, runs)
  oneInstantContract(name, open, runs)
  faucetStoreContract(name, open)
  webhookStoreContract(name, open)
  deliveryStoreContract(name, open, runs)
  backlogStoreContract(name, open)
}
