import type {
  ApiKey,
  Clock,
  Deposit,
  KeyRing,
  Payout,
  Quote,
  Resolution,
  Tenant,
  TopUpAddress,
  WalletTransaction,
  Usdt,
} from '@quipu/core'
import type {
  ChainAccount,
  Balance,
  BlockRef,
  ClaimedDeposit,
  EventRecord,
  PagePosition,
  Transfer,
} from '@quipu/core/adapter'
import type {
  AuditOrigin,
  AuditRecord,
  CaseNote,
  CaseTaker,
  DatedUse,
  LiquidityRecord,
  Movement,
  NetworkCall,
  NewOperatorToken,
  PaymentHalt,
  PayoutStop,
  PayoutPosting,
  Proposal,
  Quoting,
  RequestRecord,
  ScreeningCase,
  UsedRequest,
} from '@quipu/core/operator'
import type { ConsoleSessionRow, SecondFactorRow } from './console-session-row.ts'
import type { FaucetRow } from './faucet-row.ts'
import { newNoticeCursor, type NoticeCursor } from './notice-cursor.ts'
import type { DailyTaskRow } from './daily-task-table.ts'
import { operatorAlertTable, type OperatorAlertTable } from './operator-alert-table.ts'
import type { ProcessRow } from './process-row.ts'
import { differenceTable, type DifferenceTable } from './difference-table.ts'
import type { UnverifiedCredit } from './unverified-credit.ts'
import { networkTable, type NetworkTable } from './network-table.ts'
import { lazily } from './lazily.ts'
import { newestFirst, type NewestFirst } from '../newest-first.ts'
import type { Lease } from './lease.ts'
import { sweepTable, type SweepTable } from './sweep-table.ts'
import { reconciliationTable, type ReconciliationTable } from './reconciliation-table.ts'
import type { WebhookRow } from './webhook-row.ts'

export type WalletRow = {
  readonly id: string
  readonly createdAt: Date
  updatedAt: Date
  /** The instant of the newest entry of the tenant's log. */
  loggedAt: Date
  balance: Balance
  lowBalanceThreshold: Usdt | null
  /** As its newest event of the threshold says. */
  isLow: boolean
  /** The payouts of the day on which the newest one was accepted. */
  dailyUse: DatedUse
  /** Every transfer, oldest first. Append-only. */
  readonly transfers: Transfer[]
  /** The transfers that changed the total, oldest first. Append-only. */
  readonly transactions: WalletTransaction[]
  readonly adjustmentIds: Set<string>
  /** The postings of each payout, oldest first. */
  readonly payoutPostings: Map<string, PayoutPosting[]>
}

export type QuoteRow = { readonly quote: Quote; payoutId: string | null }

export type PayoutRow = { payout: Payout; readonly fingerprint: string }

/** The calls to the network about one payout. Append-only. */
export type NetworkCallRows = { readonly calls: Map<string, NetworkCall>; readonly order: NewestFirst }

/** The scan of one view of a chain. */
export type ScanRow = {
  at: BlockRef | undefined
  fencingToken: number
  leasedUntil: Date
  /** The head's blocks above the solid scan, oldest first. */
  refs: BlockRef[]
}

export type DepositRow = {
  deposit: Deposit
  sender: ChainAccount
  /** The block in which it was first observed. */
  readonly firstBlock: number
  readonly expiresAt: Date
  /** The decisions of solid blocks; null until then. */
  solid: ClaimedDeposit['solid'] | null
  /** When they decided it, by the store's clock. */
  solidAt: Date | null
  fencingToken: number
  claimCount: number
  /** Why the last attempt has not decided it; null when there was none. */
  problem: string | null
  /** When a worker may claim it; null before solid blocks have decided, and after it is settled. */
  dueAt: Date | null
  /** `screenedBy` of its settlement. */
  screenedBy: string | null
}

/** A deposit that was sent back. */
export type DepositReturnRow = {
  readonly address: string
  readonly amount: Usdt
  readonly txHash: string
  readonly at: Date
}

/** Everything that belongs to one tenant. */
export type TenantData = {
  tenant: Tenant
  readonly wallet: WalletRow
  readonly quotes: Map<string, QuoteRow>
  readonly resolutions: Map<string, Resolution>
  readonly payouts: Map<string, PayoutRow>
  /** Payout ids by `transaction_id`. */
  readonly transactions: Map<string, string>
  readonly payoutOrder: NewestFirst
  readonly keyOrder: NewestFirst
  readonly events: Map<string, EventRecord>
  readonly eventOrder: NewestFirst
  readonly webhooks: Map<string, WebhookRow>
  readonly webhookOrder: NewestFirst
  /** By `addressKey`. */
  readonly addresses: Map<string, TopUpAddress>
  readonly depositOrder: NewestFirst
  /** By idempotency key. */
  readonly faucetSends: Map<string, FaucetRow>
}

/** Who proposed, and the token that approved; null where none has. */
export type ProposalTokens = { readonly proposedWith: AuditOrigin; approvedWith: string | null }

export type Database = {
  readonly now: Clock
  readonly tenants: Map<string, TenantData>
  readonly tenantOrder: NewestFirst
  readonly keys: Map<string, ApiKey>
  /** Key ids by hash. */
  readonly keyHashes: Map<string, string>
  /** By payout; only those in `processing`. */
  readonly leases: Map<string, Lease>
  /** When the next payout may be brought forward. */
  nextCatchUpAt: Date
  /** By tenant and payout. */
  readonly networkCalls: Map<string, NetworkCallRows>
  readonly networks: NetworkTable
  /** Oldest first, chained. */
  readonly audit: AuditRecord[]
  /** By tenant: the entry up to which contacts in its entries are erased. */
  readonly erasedContacts: Map<string, bigint>
  readonly noticeCursor: NoticeCursor
  readonly operatorAlerts: OperatorAlertTable
  readonly dailyTasks: Map<string, DailyTaskRow>
  readonly processes: Map<string, ProcessRow>
  paymentHalt: PaymentHalt | null
  payoutStop: PayoutStop | null
  /** When each key's allowance is whole again, in ms. */
  readonly rateUses: Map<string, number>
  /** The newest requests by tenant, oldest first. */
  readonly requests: Map<string, readonly RequestRecord[]>
  readonly proposals: Map<string, Proposal>
  /** By proposal. */
  readonly proposalTokens: Map<string, ProposalTokens>
  quoting: Quoting
  /** By person and key. */
  readonly operatorRequests: Map<string, UsedRequest>
  readonly proposalOrder: NewestFirst
  readonly operatorTokens: Map<string, NewOperatorToken>
  readonly consoleSessions: Map<string, ConsoleSessionRow>
  /** By record. Append-only, oldest first. */
  readonly caseNotes: Map<string, readonly CaseNote[]>
  readonly caseTakers: Map<string, CaseTaker>
  /** By person. */
  readonly secondFactors: Map<string, SecondFactorRow>
  /** The keys that prove sign-ins; null: none is accepted. */
  readonly signInKeys: KeyRing | null
  readonly operatorTokenOrder: NewestFirst
  readonly differences: DifferenceTable
  readonly reconciliations: ReconciliationTable
  /** Tenant ids by `addressKey`. */
  readonly addressOwners: Map<string, string>
  nextAddressIndex: number
  /** By chain and view. */
  readonly scans: Map<string, ScanRow>
  readonly deposits: Map<string, DepositRow>
  /** Deposit ids by transfer. */
  readonly depositIds: Map<string, string[]>
  /** The deposits that were sent back. */
  readonly depositReturns: DepositReturnRow[]
  /** The ids of undecided deposits, in insertion order. */
  readonly pendingDeposits: Set<string>
  readonly depositOrder: NewestFirst
  /** Credits that only one provider has confirmed. */
  readonly unverifiedCredits: UnverifiedCredit[]
  /** Oldest first. Append-only. */
  readonly faucetSends: FaucetRow[]
  /** The sends in `submitted`, by id. */
  readonly openFaucetSends: Map<string, FaucetRow>
  readonly faucetHashes: Set<string>
  readonly sweeps: SweepTable
  readonly screeningCases: Map<string, ScreeningCase>
  readonly screeningOrder: NewestFirst
  /** Oldest first. Append-only. */
  readonly movements: Movement[]
  /** By hour, in ms. */
  readonly liquidity: Map<number, LiquidityRecord>
  /** The endpoints of all tenants. */
  readonly webhooks: Map<string, WebhookRow>
  /** The endpoint that the last claim served last. */
  lastClaimed: string
}

const databaseLike = lazily<Database>({
  tenants: () => new Map(),
  tenantOrder: newestFirst,
  keys: () => new Map(),
  keyHashes: () => new Map(),
  leases: () => new Map(),
  networkCalls: () => new Map(),
  networks: networkTable,
  audit: () => [],
  erasedContacts: () => new Map(),
  noticeCursor: newNoticeCursor,
  operatorAlerts: operatorAlertTable,
  dailyTasks: () => new Map(),
  processes: () => new Map(),
  paymentHalt: () => null,
  payoutStop: () => null,
  rateUses: () => new Map(),
  requests: () => new Map(),
  proposals: () => new Map(),
  proposalTokens: () => new Map(),
  operatorRequests: () => new Map(),
  operatorTokens: () => new Map(),
  consoleSessions: () => new Map(),
  secondFactors: () => new Map(),
  caseNotes: () => new Map(),
  caseTakers: () => new Map(),
  operatorTokenOrder: newestFirst,
  proposalOrder: newestFirst,
  differences: differenceTable,
  reconciliations: reconciliationTable,
  addressOwners: () => new Map(),
  scans: () => new Map(),
  deposits: () => new Map(),
  depositIds: () => new Map(),
  depositReturns: () => [],
  pendingDeposits: () => new Set(),
  depositOrder: newestFirst,
  unverifiedCredits: () => [],
  faucetSends: () => [],
  openFaucetSends: () => new Map(),
  faucetHashes: () => new Set(),
  sweeps: sweepTable,
  screeningCases: () => new Map(),
  screeningOrder: newestFirst,
  movements: () => [],
  liquidity: () => new Map(),
  webhooks: () => new Map(),
})

const atOnce = new Date(0)
const openQuoting: Quoting = { status: 'open', change: null }

export const emptyDatabase = (now: Clock, signInKeys: KeyRing | null = null): Database =>
  databaseLike({ now, signInKeys, nextAddressIndex: 0, nextCatchUpAt: atOnce, lastClaimed: '', quoting: openQuoting })

/** @throws Error when there is no such tenant */
export function tenantDataOf(database: Database, tenantId: string): TenantData {
  const tenantData = database.tenants.get(tenantId)
  if (tenantData === undefined) throw new Error(`no tenant ${tenantId}`)
  return tenantData
}

export const addressKey = ({ chain, account }: Pick<TopUpAddress, 'chain' | 'account'>): string => `${chain}:${account}`

export function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

export const secondsAfter = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000)

export const positionOf = ({ createdAt, id }: PagePosition): PagePosition => ({ createdAt, id })
