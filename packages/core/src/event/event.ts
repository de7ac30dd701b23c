import type { Page, PageQuery } from '../page.ts'

/** The types of payouts' events. @source spec §6; `payout.refunded` is assumed */
export const payoutEventTypes = ['payout.completed', 'payout.failed', 'payout.cancelled', 'payout.refunded'] as const
/** The type of a payout's event. */
export type PayoutEventType = (typeof payoutEventTypes)[number]

/** The types of deposits' events. @source spec §6; `deposit.closed` is assumed */
export const depositEventTypes = ['deposit.pending', 'deposit.credited', 'deposit.in_review', 'deposit.closed'] as const
/** The type of a deposit's event. */
export type DepositEventType = (typeof depositEventTypes)[number]

/** The types of wallets' events, all of them by name only. @source assumed */
export const walletEventTypes = ['wallet.balance_low', 'wallet.balance_restored'] as const
/** The type of a wallet's event. */
export type WalletEventType = (typeof walletEventTypes)[number]

/** The types of events that an endpoint can subscribe to. @source spec §6 */
export const tenantEventTypes: readonly [
  ...typeof payoutEventTypes,
  ...typeof depositEventTypes,
  ...typeof walletEventTypes,
] = [...payoutEventTypes, ...depositEventTypes, ...walletEventTypes]
/** The type of an event that an endpoint can subscribe to. */
export type TenantEventType = (typeof tenantEventTypes)[number]

/** The types that an endpoint receives only if its filter names them; in PostgreSQL `is_wanted` is the same rule. */
export const byNameOnlyEventTypes: readonly TenantEventType[] = [...walletEventTypes]

/** An event of this type about this data. */
export type EventOf<Type, Data> = {
  /** A version 7 UUID of `recordedAt`. */
  readonly id: string
  readonly tenantId: string
  readonly type: Type
  readonly occurredAt: Date
  /** Never before `occurredAt`. */
  readonly recordedAt: Date
  readonly data: Data
}

/** Encodes an event's envelope, once: every delivery attempt sends the same bytes. */
export type EncodeEventOf<Event> = (event: Event) => Uint8Array

/** A stored event, with its final bytes. */
export type EventRecord = Omit<EventOf<TenantEventType, never>, 'data'> & {
  /** The id of its payout, deposit or wallet. */
  readonly subjectId: string
  /** UTF-8 JSON of the envelope. */
  readonly body: Uint8Array
}

/** An event before its commit, which decides its instant under the lock of the tenant's log. */
export type NewEvent = Omit<EventRecord, 'body'> & {
  /** The event of a commit at this instant, which is not before `recordedAt`. */
  recordedOn(at: Date): EventRecord
}

/** A page of events, filtered. */
export type EventQuery = PageQuery & {
  readonly type?: TenantEventType
  /** Both inclusive, by `recordedAt`. */
  readonly from?: Date
  readonly to?: Date
}

/** Reads stored events. Every method throws `Unavailable` when the database cannot be read. */
export type EventStore = {
  get(tenantId: string, id: string): Promise<EventRecord | undefined>
  /** Newest first by (`recordedAt`, `id`). */
  list(tenantId: string, query: EventQuery): Promise<Page<EventRecord>>
}
