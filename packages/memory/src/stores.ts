import type { Clock, KeyRing, Stores } from '@quipu/core'
import type { NewOperatorToken } from '@quipu/core/operator'
import { memoryAddressStore } from './top-up-address/top-up-address-store.ts'
import { memoryApiKeyStore } from './api-key/api-key-store.ts'
import { memoryAuditLog } from './audit/audit-log.ts'
import { memoryBacklogStore } from './backlog/backlog-store.ts'
import { memoryConsoleSessionStore } from './console-session/console-session-store.ts'
import { memoryCaseStore } from './case/case-store.ts'
import { memorySecondFactorStore } from './console-session/second-factor-store.ts'
import { type Database, emptyDatabase } from './table/database.ts'
import { memoryDeliveryStore } from './webhook/delivery-store.ts'
import { memoryDepositStore } from './deposit/deposit-store.ts'
import { memoryDifferenceStore } from './difference/difference-store.ts'
import { memoryEndpointControlStore } from './webhook/endpoint-control-store.ts'
import { memoryEventStore } from './event/event-store.ts'
import { memoryFaucetStore } from './faucet/faucet-store.ts'
import { memoryNetworkCallStore } from './network/network-call-store.ts'
import { memoryNetworkStore } from './network/network-store.ts'
import { memoryPayoutDecisionStore } from './payout/payout-decision-store.ts'
import { memoryOperatorTokenStore } from './operator-token/operator-token-store.ts'
import { putTokens } from './operator-token/put-token.ts'
import { memoryOverviewStore } from './overview/overview-store.ts'
import { memoryPayoutStore } from './payout/payout-store.ts'
import { memoryNoticeStore } from './notice/notice-store.ts'
import { memoryDailyTaskStore } from './daily-task/daily-task-store.ts'
import { memoryOperatorAlertStore } from './operator-alert/operator-alert-store.ts'
import { memoryProcessStore } from './process/process-store.ts'
import { memoryRateLimitStore } from './rate-limit/rate-limit-store.ts'
import { memoryProposalStore } from './approval/proposal-store.ts'
import { memoryQuoteStore } from './quote/quote-store.ts'
import { memoryRequestLogStore } from './request/request-log-store.ts'
import { memoryReconciliationStore } from './reconciliation/reconciliation-store.ts'
import { memoryQuotingStore } from './quote/quoting-store.ts'
import { memoryReportStore } from './report/report-store.ts'
import { memoryRestoreStore } from './restore/restore-store.ts'
import { memoryResolutionStore } from './quote/resolution-store.ts'
import { memoryScanStore } from './deposit/scan-store.ts'
import { memoryScreeningStore } from './screening/screening-store.ts'
import { memorySweepStore } from './sweep/sweep-store.ts'
import { type FirstTenant, putFirstTenant } from './tenant/first-tenant.ts'
import { memoryStatementStore } from './statement/statement-store.ts'
import { memoryTreasuryStore } from './treasury/treasury-store.ts'
import { memoryTenantStore } from './tenant/tenant-store.ts'
import { memoryWalletStore } from './ledger/wallet-store.ts'
import { memoryWebhookStore } from './webhook/webhook-store.ts'

/**
 * Every store over one empty database in the memory of this process.
 *
 * Each write is one turn of the event loop, so readers see all of it or nothing.
 *
 * @param options  `now` is the stores' clock, which measures quotes and leases. `operatorTokens` are the first
 *   operators' tokens, which no other operator has issued. `signInKeys` prove sign-ins
 */
export const memoryStores = ({
  now,
  ...first
}: {
  readonly now: Clock
  readonly operatorTokens?: readonly NewOperatorToken[]
  readonly signInKeys?: KeyRing | null
}): Stores => storesOver(begun(now, first))

const contents: unique symbol = Symbol('contents')

/** The contents of stores in memory. Opaque to callers. */
export type MemoryDatabase = { readonly [contents]: Database }

/**
 * A database for `memoryStoresOver`, empty but for what it begins with.
 *
 * @param first  `operatorTokens` and `signInKeys` as for `memoryStores`, and a tenant that no operator has created
 */
export function memoryDatabase(now: Clock, first: First & { readonly tenant?: FirstTenant } = {}): MemoryDatabase {
  const database = begun(now, first)
  if (first.tenant) putFirstTenant(database, first.tenant)
  return { [contents]: database }
}

type First = { readonly operatorTokens?: readonly NewOperatorToken[]; readonly signInKeys?: KeyRing | null }

const begun = (now: Clock, { operatorTokens = [], signInKeys = null }: First): Database =>
  putTokens(emptyDatabase(now, signInKeys), operatorTokens)

/**
 * One set of stores over many independent databases: each call uses the database that is current at that
 * moment. So a further database costs only its contents.
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
    networkCalls: memoryNetworkCallStore(database),
    networks: memoryNetworkStore(database),
    payoutDecisions: memoryPayoutDecisionStore(database),
    quotes: memoryQuoteStore(database),
    quoting: memoryQuotingStore(database),
    resolutions: memoryResolutionStore(database),
    wallets: memoryWalletStore(database),
    tenants: memoryTenantStore(database),
    treasury: memoryTreasuryStore(database),
    apiKeys: memoryApiKeyStore(database),
    events: memoryEventStore(database),
    audit: memoryAuditLog(database),
    notices: memoryNoticeStore(database),
    operatorAlerts: memoryOperatorAlertStore(database),
    dailyTasks: memoryDailyTaskStore(database),
    processes: memoryProcessStore(database),
    rateLimits: memoryRateLimitStore(database),
    requests: memoryRequestLogStore(database),
    proposals: memoryProposalStore(database),
    operatorTokens: memoryOperatorTokenStore(database),
    consoleSessions: memoryConsoleSessionStore(database),
    secondFactors: memorySecondFactorStore(database),
    cases: memoryCaseStore(database),
    differences: memoryDifferenceStore(database),
    reconciliations: memoryReconciliationStore(database),
    reports: memoryReportStore(database),
    restores: memoryRestoreStore(database),
    statements: memoryStatementStore(database),
    addresses: memoryAddressStore(database),
    scans: memoryScanStore(database),
    deposits: memoryDepositStore(database),
    faucet: memoryFaucetStore(database),
    sweeps: memorySweepStore(database),
    screeningCases: memoryScreeningStore(database),
    webhooks: memoryWebhookStore(database),
    endpointControl: memoryEndpointControlStore(database),
    deliveries: memoryDeliveryStore(database),
    backlog: memoryBacklogStore(database),
    overview: memoryOverviewStore(database),
  }
}
