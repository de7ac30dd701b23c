import type {
  Account,
  ApiKey,
  DeliveryAttempt,
  AuditEntry,
  Balance,
  BlockRef,
  ClaimedDeposit,
  Clock,
  DeliveryStatus,
  Deposit,
  EventRecord,
  FaucetSend,
  Payout,
  Position,
  Quote,
  RaisedAlerts,
  Resolution,
  EncryptedSecret,
  Tenant,
  TopUpAddress,
  Transfer,
  WalletTransaction,
  WebhookEndpoint,
} from '@quipu/core'
import { lazily } from './lazily.ts'
import { newestFirst, type NewestFirst } from './newest-first.ts'

export type WalletRow = {
  readonly id: string
  readonly createdAt: Date
  updatedAt: Date
  /** The instant of the newest entry of the tenant's log. */
  loggedAt: Date
  balance: Balance
  /** Everything that ever moved, oldest first. Only appended to. */
  readonly transfers: Transfer[]
  /** Those that moved money in or out, oldest first. Only appended to. */
  readonly transactions: WalletTransaction[]
  readonly adjustmentIds: Set<string>
}

export type QuoteRow = { readonly quote: Quote; payoutId: string | null }

export type PayoutRow = { payout: Payout; readonly fingerprint: string }

/** A worker's or a request's hold on a payout in `processing`. */
export type Lease = {
  readonly tenantId: string
  readonly openedAt: Date
  fence: number
  asked: number
  /** While true and `dueAt` is ahead, somebody holds the payout. */
  leased: boolean
  /** A hint came while it was leased: due when it is given back. */
  woken: boolean
  /** When a worker may claim it. */
  dueAt: Date
  /** How many questions the network did not answer. */
  unanswered: number
  /** From when on it may be brought forward; null when the last question was answered. */
  catchUpFrom: Date | null
  /** How often it was brought forward since the network last answered about it. */
  catchUps: number
  raised: RaisedAlerts
}

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
  sender: Account
  /** Where it was first seen. */
  readonly firstBlock: number
  readonly expiresAt: Date
  /** What solid blocks say of it; null until they do. */
  solid: ClaimedDeposit['solid'] | null
  fencingToken: number
  claimCount: number
  /** When a worker may claim it; null before solid blocks have decided, and when it has ended. */
  dueAt: Date | null
}

export type FaucetRow = {
  send: FaucetSend
  fencingToken: number
  asked: number
  /** When a worker may claim it, unless it has ended. */
  dueAt: Date
}

export type WebhookRow = {
  endpoint: WebhookEndpoint
  secrets: readonly EncryptedSecret[]
  /** Whether its last answer failed or took long. */
  isSlow: boolean
  /** Grows with every reactivation. A delivery of an older round begins its ladder anew. */
  round: number
  /** While it catches up after a pause: when deliveries were last claimed. */
  drainedAt: Date | null
  /** By event. */
  readonly deliveries: Map<string, DeliveryRow>
  /** Those that have not ended. */
  readonly open: Set<DeliveryRow>
  readonly order: NewestFirst
}

export type DeliveryRow = {
  readonly event: EventRecord
  /** While it is `pending` its endpoint decides whether it is held. */
  status: Exclude<DeliveryStatus, 'held'>
  /** When it may be claimed, unless it has ended. */
  nextAt: Date
  round: number
  /** How many attempts of its ladder are on record. */
  attempt: number
  fence: number
  /** Until when a worker or a queue has it. */
  outUntil: Date | null
  isLeased: boolean
  lostLeases: number
  attempts: readonly DeliveryAttempt[]
  endedAt: Date | null
  /** What it was before a single attempt was asked for. */
  returnTo: Exclude<DeliveryStatus, 'pending'> | null
}

/** Everything that belongs to one tenant. */
export type Room = {
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

export type UnverifiedCredit = {
  readonly tenantId: string
  readonly minor: bigint
  readonly at: Date
}

export type Database = {
  readonly now: Clock
  readonly rooms: Map<string, Room>
  readonly roomOrder: NewestFirst
  readonly keys: Map<string, ApiKey>
  /** Key ids by hash. */
  readonly keyHashes: Map<string, string>
  /** By payout; only those in `processing`. */
  readonly leases: Map<string, Lease>
  /** When the next payout may be brought forward. */
  nextCatchUpAt: Date
  readonly audit: AuditEntry[]
  /** Tenant ids by `addressKey`. */
  readonly addressOwners: Map<string, string>
  nextAddressIndex: number
  /** By chain and view. */
  readonly scans: Map<string, ScanRow>
  readonly deposits: Map<string, DepositRow>
  /** Deposit ids by transfer. */
  readonly depositIds: Map<string, string[]>
  /** The ids of deposits in `pending`, in the order in which they came. */
  readonly pendingDeposits: Set<string>
  readonly depositOrder: NewestFirst
  /** What was credited on the word of one provider alone. */
  readonly unverifiedCredits: UnverifiedCredit[]
  /** Oldest first. Only appended to. */
  readonly faucetSends: FaucetRow[]
  /** Those in `submitted`, by id. */
  readonly openFaucetSends: Map<string, FaucetRow>
  readonly faucetHashes: Set<string>
  /** Every tenant's. */
  readonly webhooks: Map<string, WebhookRow>
  /** The endpoint whose deliveries were claimed last. */
  lastClaimed: string
}

const databaseLike = lazily<Database>({
  rooms: () => new Map(),
  roomOrder: newestFirst,
  keys: () => new Map(),
  keyHashes: () => new Map(),
  leases: () => new Map(),
  audit: () => [],
  addressOwners: () => new Map(),
  scans: () => new Map(),
  deposits: () => new Map(),
  depositIds: () => new Map(),
  pendingDeposits: () => new Set(),
  depositOrder: newestFirst,
  unverifiedCredits: () => [],
  faucetSends: () => [],
  openFaucetSends: () => new Map(),
  faucetHashes: () => new Set(),
  webhooks: () => new Map(),
})

export const emptyDatabase = (now: Clock): Database =>
  databaseLike({ now, nextAddressIndex: 0, nextCatchUpAt: new Date(0), lastClaimed: '' })

/** For writes, whose tenant must exist. */
export function roomOf(database: Database, tenantId: string): Room {
  const room = database.rooms.get(tenantId)
  if (room === undefined) throw new Error(`no tenant ${tenantId}`)
  return room
}

export const addressKey = ({ chain, account }: Pick<TopUpAddress, 'chain' | 'account'>): string =>
  `${chain}:${account}`

export function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

export const secondsAfter = (at: Date, seconds: number): Date =>
  new Date(at.getTime() + seconds * 1000)

export const positionOf = ({ createdAt, id }: Position): Position => ({ createdAt, id })
