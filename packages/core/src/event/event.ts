import type { EndedPayout, PayoutEventType } from '../payout/payout.ts'

/** A fact that a tenant is told about. */
export type PayoutEvent = {
  readonly id: string
  readonly tenantId: string
  readonly type: PayoutEventType
  readonly occurredAt: Date
  /** Never before `occurredAt`. */
  readonly recordedAt: Date
  readonly data: EndedPayout
}

/** Makes the bytes of an event's envelope, once; every delivery attempt sends the same. */
export type EncodeEvent = (event: PayoutEvent) => Uint8Array

/** An event as it is stored: with its final bytes. */
export type EventRecord = Omit<PayoutEvent, 'data'> & {
  /** The payout's id. */
  readonly subjectId: string
  /** UTF-8 JSON of the envelope. */
  readonly body: Uint8Array
}

export type EventStore = {
  /** The events about one payout, oldest first. */
  listBySubject(tenantId: string, subjectId: string): Promise<readonly EventRecord[]>
}
