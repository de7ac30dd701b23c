import type {
  ApiKey,
  AuditEntry,
  Balance,
  Clock,
  EventRecord,
  Payout,
  Position,
  Quote,
  Resolution,
  Tenant,
  Transfer,
} from '@quipu/core'
import { newestFirst, type NewestFirst } from './newest-first.ts'

export type WalletRow = {
  readonly id: string
  readonly createdAt: Date
  updatedAt: Date
  balance: Balance
  /** Everything that ever moved, oldest first. Only appended to. */
  readonly transfers: Transfer[]
  readonly adjustmentIds: Set<string>
}

export type QuoteRow = { readonly quote: Quote; payoutId: string | null }

export type PayoutRow = { payout: Payout; readonly fingerprint: string }

/** A worker's or a request's hold on a payout in `processing`. */
export type Lease = {
  readonly tenantId: string
  fence: number
  asked: number
  /** While true and `dueAt` is ahead, somebody holds the payout. */
  leased: boolean
  /** A hint came while it was leased: due when it is given back. */
  woken: boolean
  /** When a worker may claim it. */
  dueAt: Date
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
  /** By payout. */
  readonly events: Map<string, EventRecord[]>
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
  readonly audit: AuditEntry[]
}

export const emptyDatabase = (now: Clock): Database => ({
  now,
  rooms: new Map(),
  roomOrder: newestFirst(),
  keys: new Map(),
  keyHashes: new Map(),
  leases: new Map(),
  audit: [],
})

/** For writes, whose tenant must exist. */
export function roomOf(database: Database, tenantId: string): Room {
  const room = database.rooms.get(tenantId)
  if (room === undefined) throw new Error(`no tenant ${tenantId}`)
  return room
}

export const secondsAfter = (at: Date, seconds: number): Date =>
  new Date(at.getTime() + seconds * 1000)

export const positionOf = ({ createdAt, id }: Position): Position => ({ createdAt, id })
