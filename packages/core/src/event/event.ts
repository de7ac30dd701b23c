import { type Deposit, depositEventTypes, type DepositEventType } from '../deposit/deposit.ts'
import type { Page, PageQuery } from '../page.ts'
import { type EndedPayout, payoutEventTypes, type PayoutEventType } from '../payout/payout.ts'

type EventOf<Type, Data> = {
  /** A version 7 UUID of `recordedAt`. */
  readonly id: string
  readonly tenantId: string
  readonly type: Type
  readonly occurredAt: Date
  /** Never before `occurredAt`. */
  readonly recordedAt: Date
  readonly data: Data
}
/** An event about a payout that ended, or that was refunded later. */
export type PayoutEvent = EventOf<PayoutEventType, EndedPayout>
/** An event about a deposit's new state. */
export type DepositEvent = EventOf<DepositEventType, Deposit>

/** An event that a tenant's endpoints receive. @source spec §6 */
export type TenantEvent = PayoutEvent | DepositEvent

/** The types of events that an endpoint can subscribe to. @source spec §6 */
export const tenantEventTypes: readonly [...typeof payoutEventTypes, ...typeof depositEventTypes] = [
  ...payoutEventTypes,
  ...depositEventTypes,
]

/** The event of an endpoint's test: sent to that endpoint only and not stored. @source spec §6 */
export type WebhookTestEvent = EventOf<'webhook.test', { readonly webhookId: string }>

/** An event that can be sent to an endpoint. */
export type OutgoingEvent = TenantEvent | WebhookTestEvent

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
export type EncodeEvent = (event: OutgoingEvent) => { readonly body: Uint8Array; readonly places: EventPlaces }

/** A stored event, with its final bytes. */
export type EventRecord = Omit<TenantEvent, 'data'> & {
  /** The id of its payout or deposit. */
  readonly subjectId: string
  /** UTF-8 JSON of the envelope. */
  readonly body: Uint8Array
}

/** An event before its commit, which may give it a later instant (`redateEvent`). */
export type NewEvent = EventRecord & { readonly places: EventPlaces }

/** A page of events, filtered. */
export type EventQuery = PageQuery & {
  readonly type?: TenantEvent['type']
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
