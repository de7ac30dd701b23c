import type {
  AddressFormat,
  AddressSource,
  Authenticate,
  Clock,
  CreatePayout,
  CreateQuote,
  EnsureTopUpAddress,
  KeyRing,
  ManageWebhooks,
  QrNetwork,
  RaiseAlert,
  RateSource,
  Screening,
  Reconcile,
  RequestFaucet,
  RequestFaucetPorts,
  ResolveQr,
  RotateTopUpAddress,
  SandboxQrIssuer,
  SecretBox,
  Stores as AllStores,
  TestWebhook,
  WebhookEndpoint,
  WebhookSender,
  WebhookUrlGuard,
  Bob,
  Ids,
  Usdt,
} from '@quipu/core'
import type {
  ConfirmNetwork,
  ControlEndpoints,
  ExplainTransaction,
  ExplainTransactionPorts,
  FindFaults,
  ImportSweep,
  ManageApiKeys,
  ManageOperatorTokens,
  ManageOwnKeys,
  ManageProposals,
  ManageQuoting,
  StopPayouts,
  ManageTenants,
  OperatePayouts,
  RequestReconciliation,
  ReturnProblem,
  Exposure,
  LiquidityRecord,
  ReadReports,
  readTrialBalance,
  TreasuryStore,
  ReadStatements,
  SetLowBalanceThreshold,
  PlanSweep,
  PlanSweepPorts,
  SweepChain,
  SweepSettings,
} from '@quipu/core/operator'
import type { BacklogStore, Chain, Reactivated } from '@quipu/core/adapter'
import type { NetworkCallbacks } from '@quipu/qr-network'
import type { Logger, ReadinessPorts } from '@quipu/runtime'
import type { SignedGateway } from '@quipu/webhook-http'
import type { SystemPorts } from '@quipu/core/system'
import type { ConfiguredNetwork, SweepFileFacts } from '@quipu/wire'
import type { Extension } from './extension.ts'
import type { RequestJournal } from './http/request-journal.ts'
import type { SharedLimits } from './http/limit/shared-limits.ts'
import type { ApiMetrics } from './metrics/api-metrics.ts'

/** The stores that the API reads and writes. */
export type Stores = Pick<
  AllStores,
  | 'payouts'
  | 'networkCalls'
  | 'networks'
  | 'payoutDecisions'
  | 'quotes'
  | 'quoting'
  | 'resolutions'
  | 'wallets'
  | 'tenants'
  | 'apiKeys'
  | 'addresses'
  | 'scans'
  | 'deposits'
  | 'faucet'
  | 'events'
  | 'webhooks'
  | 'endpointControl'
  | 'deliveries'
  | 'backlog'
  | 'operatorAlerts'
  | 'audit'
  | 'processes'
  | 'proposals'
  | 'rateLimits'
  | 'requests'
  | 'reconciliations'
  | 'restores'
  | 'sweeps'
  | 'cases'
  | 'consoleSessions'
  | 'secondFactors'
  | 'operatorTokens'
  | 'screeningCases'
  | 'differences'
  | 'statements'
  | 'reports'
  | 'treasury'
  | 'overview'
> & {
  /**
   * Makes a durable write.
   *
   * @returns the store's time
   * @throws Unavailable when nothing can be written durably
   */
  ping(): Promise<{ readonly now: Date }>
}

/** How alerts leave the process. */
export type Alerting = {
  readonly raiseAlert: RaiseAlert
  /** Posts one message to the operator's gateway. Left out: none is set. */
  readonly attempt?: SignedGateway['attempt']
}

/** Time, randomness, logs, and work that outlives its request. */
export type System = Omit<SystemPorts, 'settled'> & {
  readonly log: Logger
  /** Left out: alerts are lines of the log alone. */
  readonly alerting?: Alerting
  /** False once the process is stopping. */
  readonly isServing: () => boolean
  /** Milliseconds that the process's clock is ahead of the store's. Left out: they are one clock. */
  readonly clockAheadMs?: () => number
}

/** The QR network. */
export type NetworkPorts = {
  readonly network: Omit<QrNetwork, 'liquidity'>
  /** Left out: there are no test QRs. */
  readonly sandboxQrs?: SandboxQrIssuer | undefined
  /** Left out: every callback of the network is refused. */
  readonly callbacks?: NetworkCallbacks | undefined
}

/** Derives top-up addresses and computes their MACs. */
export type TopUps = { readonly addressSource: AddressSource; readonly addressMacKeys: KeyRing }

/** The chain on which the faucet sends test tokens. */
export type FaucetChain = Pick<RequestFaucetPorts, 'reader' | 'signer' | 'broadcaster'> & {
  readonly format: Pick<AddressFormat, 'parse'>
}

/** The chain of sweeps to the treasury. */
export type SweepChainPorts = SweepFileFacts & {
  readonly chain: SweepChain
  readonly reader: PlanSweepPorts['reader']
  readonly addressSource: AddressSource
  readonly settings: SweepSettings
}

/** Sweeps to the treasury. */
export type Sweeping = SweepFileFacts & {
  readonly chain: Chain
  readonly tokenBalances: SweepChain['tokenBalances']
  /** In solid blocks; undefined when no node shows it. */
  readonly treasuryBalance: () => Promise<{ readonly amount: Usdt; readonly at: Date } | undefined>
  readonly plan: PlanSweep
  readonly importSigned: ImportSweep
}

/** The chain. */
export type ChainPorts = {
  /** Left out: there are no sweeps. */
  readonly sweepChain?: SweepChainPorts | undefined
  /** Left out: wallets have no top-up addresses. */
  readonly topUps?: TopUps | undefined
  /** Left out: there is no faucet. */
  readonly faucetChain?: FaucetChain | undefined
  /** Left out: no transaction is explained from the chain. */
  readonly chainReader?: ExplainTransactionPorts['reader']
  /** Left out: as without `chainReader`. */
  readonly addressFormat?: Pick<AddressFormat, 'parse'> | undefined
}

/** Sends webhooks, checks their URLs, and encrypts the secrets that sign them. */
export type WebhookPorts = {
  readonly sender: WebhookSender
  readonly urlGuard: WebhookUrlGuard
  readonly secretBox: SecretBox
  /** Dates signatures. Left out: the system's clock does. */
  readonly signedAt?: Clock
}

/** Everything that the API needs from outside. */
export type AppPorts = NetworkPorts &
  ChainPorts & {
    readonly stores: Stores
    readonly rates: RateSource
    /** Left out: nobody is screened. */
    readonly screening?: Screening
    /** Left out: there are no webhook endpoints; events are recorded all the same. */
    readonly webhooks?: WebhookPorts
    /** Left out: the public API is unchanged. */
    readonly extension?: Extension
    readonly system: System
  }

/** Tenants, their API keys, and what operators do with their endpoints. */
export type Tenancy = {
  readonly authenticate: Authenticate
  readonly manageTenants: ManageTenants
  readonly manageApiKeys: ManageApiKeys
  readonly manageOwnKeys: ManageOwnKeys
  readonly controlEndpoints: ControlEndpoints
}

/** From a QR to a payout. */
export type Paying = Omit<NetworkPorts, 'network'> & {
  readonly createPayout: CreatePayout
  readonly resolveQr: ResolveQr
  readonly createQuote: CreateQuote
  readonly manageQuoting: ManageQuoting
  readonly stopPayouts: StopPayouts
  readonly operatePayouts: OperatePayouts
  readonly confirmNetwork: ConfirmNetwork
  readonly configuredNetwork: ConfiguredNetwork
  readonly hintPayout: (payoutId: string) => Promise<void>
}

/** The sandbox faucet. */
export type Faucet = Pick<FaucetChain, 'format'> & { readonly request: RequestFaucet }

/** Wallets and deposits. */
export type Funding = {
  /** Undefined where no chain is configured: wallets have no top-up addresses. */
  readonly ensureTopUpAddress: EnsureTopUpAddress | undefined
  readonly rotateTopUpAddress: RotateTopUpAddress
  readonly manageProposals: ManageProposals
  readonly manageOperatorTokens: ManageOperatorTokens
  readonly reconcile: Reconcile
  readonly setLowBalanceThreshold: SetLowBalanceThreshold
  readonly requestReconciliation: RequestReconciliation
  readonly explainTransaction: ExplainTransaction
  readonly returnProblem: ReturnProblem
  readonly statements: ReadStatements
  /** Undefined in production, and where no chain is configured. */
  readonly faucet: Faucet | undefined
}

/** The exposure, and its last reading where a limit is set. */
export type ExposurePorts = {
  readonly read: () => Promise<Exposure>
  readonly recent: (() => Promise<Exposure>) | undefined
}

/** Reports of all tenants, and the operator's own movements. */
export type Reporting = {
  readonly reports: ReadReports
  readonly trialBalance: ReturnType<typeof readTrialBalance>
  readonly exposure: () => Promise<Exposure>
  /** The readings that a forecast uses. */
  readonly liquidity: () => Promise<readonly LiquidityRecord[]>
  /** Null: the network's liquidity is not watched. */
  readonly floor: Bob | null
  readonly treasury: TreasuryStore
  readonly ids: Ids
}

/** Webhook endpoints. */
export type Webhooks = ManageWebhooks & {
  readonly test: TestWebhook
  /** @returns undefined when the tenant has no such endpoint */
  readonly pause: (tenantId: string, id: string) => Promise<WebhookEndpoint | undefined>
  /** @returns undefined when the tenant has no such endpoint */
  readonly reactivate: (tenantId: string, id: string) => Promise<Reactivated | 'paused_by_operator' | undefined>
}

/** The ports of both apps besides use cases. */
export type AppBase = {
  readonly stores: Stores
  readonly system: System
  readonly metrics: ApiMetrics
  readonly journal: RequestJournal
  readonly findFaults: FindFaults
  /** The reading that metrics and faults share. @throws Unavailable without an answer in time */
  readonly readBacklog: BacklogStore['read']
  readonly health: ReadinessPorts
  readonly limits: SharedLimits
}
