import type { Page, PageQuery } from '../page.ts'

/** The types of payouts' events. @source spec §6; `payout.refunded` is assumed */
export const payoutEventTypes = ['payout.completed', 'payout.failed', 'payout.cancelled', 'payout.refunded'] as const
/** The type of a payout's event. */
export type PayoutEventType = (typeof payoutEventTypes)[number]

/** The types of deposits' events. @source spec §6; `deposit.closed` is assumed */
export const depositEventTypes = ['deposit.pending', 'deposit.credited', 'deposit.in_review', 'deposit.closed'] as const
/** The type of a deposit's event. */
export type DepositEventType = (typeof depositEventTypes)[number]

/** The types of events that an endpoint can subscribe to. @source spec §6 */
export const tenantEventTypes: readonly [...typeof payoutEventTypes, ...typeof depositEventTypes] = [
  ...payoutEventTypes,
  ...depositEventTypes,
]
/** The type of an event that an endpoint can subscribe to. */
export type TenantEventType = (typeof tenantEventTypes)[number]

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

/**
 * The byte offsets of an event's id and instants in its body. The id is 36 bytes wide, an instant 24
 * (`isoText`).
 */
export type EventPlaces = {
  readonly id: number
  readonly occurredAt: number
  readonly recordedAt: number
  /** `completed_at` of a payout or `credited_at` of a deposit; null when the data has neither. */
  readonly settledAt: number | null
}

/** Encodes an event's envelope, once: every delivery attempt sends the same bytes. */
export type EncodeEventOf<Event> = (event: Event) => { readonly body: Uint8Array; readonly places: EventPlaces }

/** A stored event, with its final bytes. */
export type EventRecord = Omit<EventOf<TenantEventType, never>, 'data'> & {
  /** The id of its payout or deposit. */
  readonly subjectId: string
  /** UTF-8 JSON of the envelope. */
  readonly body: Uint8Array
}

/** An event before its commit, which may give it a later instant (`redateEvent`). */
export type NewEvent = EventRecord & { readonly places: EventPlaces }

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
