import type { BacklogStore } from './backlog/backlog.ts'
import type { CaseStore } from './case/case.ts'
import type { ConsoleSessionStore, SecondFactorStore } from './console-session/ports.ts'
import type { DepositStore, ScanStore } from './deposit/ports.ts'
import type { TopUpAddressStore } from './top-up-address/ports.ts'
import type { DifferenceStore } from './difference/ports.ts'
import type { EventStore } from './event/event.ts'
import type { FaucetStore } from './faucet/ports.ts'
import type { WalletStore } from './ledger/ports.ts'
import type { NetworkCallStore } from './network/network-call.ts'
import type { NetworkStore } from './network/network-store.ts'
import type { NoticeStore } from './notice/ports.ts'
import type { DailyTaskStore } from './daily-task/ports.ts'
import type { OperatorAlertStore } from './operator-alert/ports.ts'
import type { PayoutDecisionStore } from './payout/decision-ports.ts'
import type { OperatorTokenStore } from './operator-token/ports.ts'
import type { OverviewStore } from './overview/ports.ts'
import type { PayoutStore } from './payout/ports.ts'
import type { ProcessStore } from './process/ports.ts'
import type { ProposalStore } from './proposal/ports.ts'
import type { RateLimitStore } from './rate-limit/ports.ts'
import type { RequestLogStore } from './request/ports.ts'
import type { ReconciliationStore } from './reconciliation/ports.ts'
import type { ReportStore } from './report/ports.ts'
import type { RestoreStore } from './restore/ports.ts'
import type { StatementStore } from './statement/ports.ts'
import type { QuoteStore, QuotingStore, ResolutionStore } from './quote/ports.ts'
import type { ScreeningStore } from './screening/case.ts'
import type { SweepStore } from './sweep/ports.ts'
import type { TenantStore } from './tenant/ports.ts'
import type { TreasuryStore } from './treasury/ports.ts'
import type { ApiKeyStore } from './api-key/ports.ts'
import type { AuditLog } from './audit/ports.ts'
import type { EndpointControlStore } from './webhook/endpoint-control.ts'
import type { DeliveryStore, WebhookStore } from './webhook/ports.ts'

/** Every store of one database: a storage adapter provides them together. */
export type Stores = {
  readonly payouts: PayoutStore
  readonly networkCalls: NetworkCallStore
  readonly networks: NetworkStore
  readonly payoutDecisions: PayoutDecisionStore
  readonly quotes: QuoteStore
  readonly quoting: QuotingStore
  readonly resolutions: ResolutionStore
  readonly wallets: WalletStore
  readonly tenants: TenantStore
  readonly treasury: TreasuryStore
  readonly apiKeys: ApiKeyStore
  readonly events: EventStore
  readonly audit: AuditLog
  readonly notices: NoticeStore
  readonly operatorAlerts: OperatorAlertStore
  readonly dailyTasks: DailyTaskStore
  readonly processes: ProcessStore
  readonly proposals: ProposalStore
  readonly rateLimits: RateLimitStore
  readonly requests: RequestLogStore
  readonly operatorTokens: OperatorTokenStore
  readonly cases: CaseStore
  readonly consoleSessions: ConsoleSessionStore
  readonly secondFactors: SecondFactorStore
  readonly differences: DifferenceStore
  readonly reconciliations: ReconciliationStore
  readonly reports: ReportStore
  readonly restores: RestoreStore
  readonly statements: StatementStore
  readonly addresses: TopUpAddressStore
  readonly scans: ScanStore
  readonly deposits: DepositStore
  readonly faucet: FaucetStore
  readonly sweeps: SweepStore
  readonly screeningCases: ScreeningStore
  readonly webhooks: WebhookStore
  readonly endpointControl: EndpointControlStore
  readonly deliveries: DeliveryStore
  readonly backlog: BacklogStore
  readonly overview: OverviewStore
}
