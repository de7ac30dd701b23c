import type { Clock, Stores } from '@quipu/core'
import { memoryAddressStore } from './deposit/top-up-address-store.ts'
import { memoryApiKeyStore } from './tenant/api-key-store.ts'
import { memoryAuditLog } from './tenant/audit-log.ts'
import { memoryBacklogStore } from './backlog-store.ts'
import { type Database, emptyDatabase } from './database.ts'
import { memoryDeliveryStore } from './webhook/delivery-store.ts'
import { memoryDepositStore } from './deposit/deposit-store.ts'
import { memoryEventStore } from './event/event-store.ts'
import { memoryFaucetStore } from './faucet/faucet-store.ts'
import { memoryPayoutStore } from './payout/payout-store.ts'
import { memoryQuoteStore } from './quote/quote-store.ts'
import { memoryResolutionStore } from './quote/resolution-store.ts'
import { memoryScanStore } from './deposit/scan-store.ts'
import { memoryTenantStore } from './tenant/tenant-store.ts'
import { memoryWalletStore } from './ledger/wallet-store.ts'
import { memoryWebhookStore } from './webhook/webhook-store.ts'

/**
 * Every store over one empty database in this process's memory, gone with it.
 *
 * Each write is one turn of the event loop: it is seen whole or not at all.
 *
 * @param now the stores' clock, by which quotes and leases are measured
 */
export const memoryStores = ({ now }: { readonly now: Clock }): Stores =>
  storesOver(emptyDatabase(now))

const contents: unique symbol = Symbol('contents')

/** What stores in memory keep. It has no members for others. */
export type MemoryDatabase = { readonly [contents]: Database }

/** An empty database, for `memoryStoresOver`. @param now  as above */
export const memoryDatabase = (now: Clock): MemoryDatabase => ({ [contents]: emptyDatabase(now) })

/**
 * The same stores over many databases, which share nothing: each call goes to the one that is
 * current then. So a database costs what is in it, and no stores of its own.
 */
export function memoryStoresOver(current: () => MemoryDatabase): Stores {
  const like = new Proxy(
    emptyDatabase(() => new Date(0)),
    {
      get: (_, member): unknown => Reflect.get(current()[contents], member),
      set: (_, member, value) => Reflect.set(current()[contents], member, value),
    },
  )
  return storesOver(like)
}

function storesOver(database: Database): Stores {
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
    backlog: memoryBacklogStore(database),
  }
}
