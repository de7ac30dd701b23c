import type { Stores } from '@quipu/core'
import type { LedgerCheck } from '@quipu/core/operator'
import { postgresApiKeyStore } from './api-key/api-key-store.ts'
import { postgresAuditLog } from './audit/audit-log.ts'
import { postgresBacklogStore } from './backlog/backlog-store.ts'
import { openBatchConnections } from './batch/batch-connection.ts'
import { batchWriter } from './batch/batch-writer.ts'
import { postgresConsoleSessionStore } from './console-session/console-session-store.ts'
import { postgresCaseStore } from './case/case-store.ts'
import { postgresSecondFactorStore } from './console-session/second-factor-store.ts'
import { clientConfig } from './connection/connection.ts'
import { type DatabaseOptions, openDatabase, type PoolState } from './connection/database.ts'
import { readServerState, type ServerState } from './connection/server-state.ts'
import { tracedDatabase } from './connection/traced-database.ts'
import { attemptRecords } from './webhook/delivery-record.ts'
import { databasePing, type Pinged } from './readiness/database-ping.ts'
import { postgresDeliveryStore } from './webhook/delivery-store.ts'
import { depositCommits } from './deposit/deposit-commit.ts'
import { postgresDepositStore } from './deposit/deposit-store.ts'
import { postgresDifferenceStore } from './difference/difference-store.ts'
import { postgresEndpointControlStore } from './webhook/endpoint-control-store.ts'
import { postgresEventStore } from './event/event-store.ts'
import { postgresFaucetStore } from './faucet/faucet-store.ts'
import { adjustWalletsProtocol } from './ledger/adjust-wallets.ts'
import { postgresLedgerCheck } from './ledger/ledger-check.ts'
import { postgresOverviewStore } from './overview/overview-store.ts'
import { payoutCommits } from './payout/payout-commit.ts'
import { postgresNetworkCallStore } from './payout/network-call-store.ts'
import { postgresNetworkStore } from './network/network-store.ts'
import { postgresPayoutDecisionStore } from './payout/payout-decision-store.ts'
import { postgresOperatorTokenStore } from './operator-token/operator-token-store.ts'
import { postgresPayoutStore } from './payout/payout-store.ts'
import { postgresNoticeStore } from './notice/notice-store.ts'
import { postgresDailyTaskStore } from './daily-task/daily-task-store.ts'
import { postgresOperatorAlertStore } from './operator-alert/operator-alert-store.ts'
import { postgresProcessStore } from './process/process-store.ts'
import { postgresProposalStore } from './proposal/proposal-store.ts'
import { postgresRateLimitStore } from './rate-limit/rate-limit-store.ts'
import { postgresRequestLogStore } from './request/request-log-store.ts'
import { quoteCommits } from './quote/quote-commits.ts'
import { postgresQuoteStore } from './quote/quote-store.ts'
import { postgresReconciliationStore } from './reconciliation/reconciliation-store.ts'
import { postgresQuotingStore } from './quote/quoting-store.ts'
import { postgresResolutionStore } from './quote/resolution-store.ts'
import { postgresScanStore } from './deposit/scan-store.ts'
import { postgresScreeningStore } from './screening/screening-store.ts'
import { postgresSweepStore } from './sweep/sweep-store.ts'
import { logMemory } from './restore/log-memory.ts'
import { postgresReportStore } from './report/report-store.ts'
import { postgresRestoreStore } from './restore/restore-store.ts'
import { postgresStatementStore } from './statement/statement-store.ts'
import { postgresTreasuryStore } from './treasury/treasury-store.ts'
import { postgresTenantStore } from './tenant/tenant-store.ts'
import { postgresTopUpAddressStore } from './top-up-address/top-up-address-store.ts'
import { postgresWalletStore } from './ledger/wallet-store.ts'
import { postgresWebhookStore } from './webhook/webhook-store.ts'

/** The connection and the pools of `postgresStores`. */
export type PostgresOptions = DatabaseOptions & {
  /**
   * How many connections write batches. More than one lets batches overlap, where a commit waits long for
   * its standby; batches are smaller then and cost more.
   */
  readonly batchConnections?: {
    /** New payouts and the ends of payouts. Default 1. */
    readonly paying?: number
    /** Attempts of webhook deliveries. Default 1. */
    readonly recording?: number
  }
}

/** The stores on PostgreSQL, and what a host does with their database. */
export type PostgresStores = Stores & {
  readonly ledgerCheck: LedgerCheck
  /**
   * Makes a durable write, compares what this process has written with the database, and returns the database's time.
   *
   * @throws Unavailable when the database does not answer, accepts no writes, or does not confirm the write
   * @throws NotMigrated when the database lacks a migration of this release; later migrations are accepted
   */
  ping(): Promise<Pinged>
  /** Why a `ping` that has no answer has none, as another session sees it. Never rejects. */
  whySilent(): Promise<string>
  /** Whether a standby is required, and the server required none when it was last looked at. */
  isStandbyMissing(): boolean
  /** The characters with which the ids of this database's payouts end; undefined before the first `ping` or write. */
  installation(): string | undefined
  /** The pooled connections now, for metrics. */
  poolState(): PoolState
  /** Space, log and ages of the server, for metrics. @throws Unavailable when it does not answer */
  serverState(): Promise<ServerState>
  /** Waits for running writes, then closes every connection. */
  close(): Promise<void>
}

/**
 * All stores, over one PostgreSQL database that `migrate` has brought up to date. Connects on first use, and
 * reconnects after a loss.
 *
 * @example
 * ```ts
 * import { migrate, postgresStores } from '@quipu/postgres'
 *
 * const url = process.env['DATABASE_URL'] ?? 'postgres://localhost/quipu'
 * await migrate(url)
 * const stores = postgresStores({ url })
 * const { now } = await stores.ping()
 * const { items } = await stores.tenants.list({ limit: 10 })
 * console.log(`${now.toISOString()}: ${items.length} tenants`)
 * await stores.close()
 * ```
 */
export function postgresStores(options: PostgresOptions): PostgresStores {
  const database = tracedDatabase(openDatabase(options))
  let closing: Promise<void> | undefined
  const config = clientConfig(options)
  const memory = logMemory()
  const commits = payoutCommits(database, config, memory, options.batchConnections?.paying)
  const quoting = quoteCommits(database, config)
  const deposits = depositCommits(database, config)
  const adjusting = openBatchConnections(database, config)
  const adjustments = batchWriter(database, adjusting, adjustWalletsProtocol(database))
  const records = attemptRecords(database, config, options.batchConnections?.recording)
  const closeAll = async (): Promise<void> => {
    await Promise.all([commits.close(), quoting.close(), deposits.close(), records.close(), adjustments.idle()])
    await adjusting.close()
    await database.close()
  }
  return {
    payouts: postgresPayoutStore(database, commits),
    networkCalls: postgresNetworkCallStore(database),
    networks: postgresNetworkStore(database),
    payoutDecisions: postgresPayoutDecisionStore(database),
    quotes: postgresQuoteStore(database, quoting),
    quoting: postgresQuotingStore(database),
    resolutions: postgresResolutionStore(database, quoting),
    wallets: postgresWalletStore(database, adjustments),
    tenants: postgresTenantStore(database),
    treasury: postgresTreasuryStore(database),
    apiKeys: postgresApiKeyStore(database),
    events: postgresEventStore(database),
    audit: postgresAuditLog(database),
    notices: postgresNoticeStore(database),
    operatorAlerts: postgresOperatorAlertStore(database),
    dailyTasks: postgresDailyTaskStore(database),
    processes: postgresProcessStore(database),
    proposals: postgresProposalStore(database),
    rateLimits: postgresRateLimitStore(database),
    requests: postgresRequestLogStore(database),
    operatorTokens: postgresOperatorTokenStore(database),
    consoleSessions: postgresConsoleSessionStore(database),
    secondFactors: postgresSecondFactorStore(database),
    cases: postgresCaseStore(database),
    differences: postgresDifferenceStore(database),
    reconciliations: postgresReconciliationStore(database),
    reports: postgresReportStore(database),
    restores: postgresRestoreStore(database, memory),
    statements: postgresStatementStore(database),
    addresses: postgresTopUpAddressStore(database),
    scans: postgresScanStore(database),
    deposits: postgresDepositStore(database, deposits),
    faucet: postgresFaucetStore(database),
    sweeps: postgresSweepStore(database),
    screeningCases: postgresScreeningStore(database),
    webhooks: postgresWebhookStore(database),
    endpointControl: postgresEndpointControlStore(database),
    deliveries: postgresDeliveryStore(database, records),
    backlog: postgresBacklogStore(database),
    overview: postgresOverviewStore(database),
    ledgerCheck: postgresLedgerCheck(database),
    ping: databasePing(database, {
      memory,
      // Without a session of these no payout is accepted, also while the pool has one.
      probe: async () => void (await Promise.all([database.probe(), commits.probe()])),
    }),
    whySilent: database.guard.whySilent,
    isStandbyMissing: database.guard.isStandbyMissing,
    installation: memory.installation,
    poolState: database.poolState,
    serverState: readServerState(database),
    close: () => (closing ??= closeAll()),
  }
}
