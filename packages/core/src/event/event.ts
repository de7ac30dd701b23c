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
export type PayoutEvent = EventOf<PayoutEventType, EndedPayout>
export type DepositEvent = EventOf<DepositEventType, Deposit>

/** A fact that a tenant is told about. @source spec §6 */
export type TenantEvent = PayoutEvent | DepositEvent

/** What a tenant may be told of. @source spec §6 */
export const tenantEventTypes: readonly [...typeof payoutEventTypes, ...typeof depositEventTypes] =
  [...payoutEventTypes, ...depositEventTypes]

/** What is sent to an endpoint that its tenant tests, and to nobody else. @source spec §6 */
export type WebhookTestEvent = EventOf<'webhook.test', { readonly webhookId: string }>

/** Everything that an endpoint may be sent. */
export type OutgoingEvent = TenantEvent | WebhookTestEvent

/**
 * Where an event's bytes contain its id and instants: offsets in bytes. Each has a fixed width, the id 36
 * bytes and an instant 24, as `isoText` writes it.
 */
export type EventPlaces = {
  readonly id: number
  readonly occurredAt: number
  readonly recordedAt: number
  /** `completed_at` of a payout or `credited_at` of a deposit; null when the data has none. */
  readonly settledAt: number | null
}

/** Makes the bytes of an event's envelope, once; every delivery attempt sends the same. */
export type EncodeEvent = (event: OutgoingEvent) => {
  readonly body: Uint8Array
  readonly places: EventPlaces
}

/** An event as it is stored: with its final bytes. */
export type EventRecord = Omit<TenantEvent, 'data'> & {
  /** The id of the payout or deposit that it is about. */
  readonly subjectId: string
  /** UTF-8 JSON of the envelope. */
  readonly body: Uint8Array
}

/** An event before its commit, which may date it later (`redateEvent`). */
export type NewEvent = EventRecord & { readonly places: EventPlaces }

export type EventQuery = PageQuery & {
  readonly type?: TenantEvent['type']
  /** Both inclusive, by `recordedAt`. */
  readonly from?: Date
  readonly to?: Date
}

export type EventStore = {
  get(tenantId: string, id: string): Promise<EventRecord | undefined>
  /** Newest first by (`recordedAt`, `id`). */
  list(tenantId: string, query: EventQuery): Promise<Page<EventRecord>>
}
