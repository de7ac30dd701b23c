import type { Deposit, DepositEventType } from '../deposit/deposit.ts'
import type { EndedPayout, PayoutEventType } from '../payout/payout.ts'

type EventOf<Type, Data> = {
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

/** Makes the bytes of an event's envelope, once; every delivery attempt sends the same. */
export type EncodeEvent = (event: TenantEvent) => Uint8Array

/** An event as it is stored: with its final bytes. */
export type EventRecord = Omit<TenantEvent, 'data'> & {
  /** The id of the payout or deposit that it is about. */
  readonly subjectId: string
  /** UTF-8 JSON of the envelope. */
  readonly body: Uint8Array
}

export type EventStore = {
  /** The events about one payout or deposit, oldest first. */
  listBySubject(tenantId: string, subjectId: string): Promise<readonly EventRecord[]>
}
