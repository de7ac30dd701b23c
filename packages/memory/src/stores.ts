import type { Clock, Stores } from '@quipu/core'
import { memoryAddressStore } from './address-store.ts'
import { memoryApiKeyStore } from './api-key-store.ts'
import { memoryAuditLog } from './audit-log.ts'
import { emptyDatabase } from './database.ts'
import { memoryDeliveryStore } from './delivery-store.ts'
import { memoryDepositStore } from './deposit-store.ts'
import { memoryEventStore } from './event-store.ts'
import { memoryFaucetStore } from './faucet-store.ts'
import { memoryPayoutStore } from './payout-store.ts'
import { memoryQuoteStore } from './quote-store.ts'
import { memoryResolutionStore } from './resolution-store.ts'
import { memoryScanStore } from './scan-store.ts'
import { memoryTenantStore } from './tenant-store.ts'
import { memoryWalletStore } from './wallet-store.ts'
import { memoryWebhookStore } from './webhook-store.ts'

/**
 * Every store over one empty database in this process's memory, gone with it.
 *
 * Each write is one turn of the event loop: it is seen whole or not at all.
 *
 * @param now the stores' clock, by which quotes and leases are measured
 */
export function memoryStores({ now }: { readonly now: Clock }): Stores {
  const database = emptyDatabase(now)
  return {
    payouts: memoryPayoutStore(database),
    quotes: memoryQuoteStore(database),
    resolutions: memoryResolutionStore(database),
    wallets: memoryWalletStore(database),
    tenants: memoryTenantStore(database),
    apiKeys: memoryApiKeyStore(database),
    events: memoryEventStore(database),
    audit: memoryAuditLog(database),
    addresses: memoryAddressStore(database),
    scans: memoryScanStore(database),
    deposits: memoryDepositStore(database),
    faucet: memoryFaucetStore(database),
    webhooks: memoryWebhookStore(database),
    deliveries: memoryDeliveryStore(database),
  }
}
