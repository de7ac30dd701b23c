import type { Ids } from '../ids.ts'
import { type Clock, notBefore } from '../time.ts'
import type { DepositEvent, EncodeEvent, NewEvent, PayoutEvent } from './event.ts'

export type RecordEventPorts = {
  readonly encodeEvent: EncodeEvent
  readonly ids: Ids
  readonly now: Clock
}

/** What has happened, before it is on record. */
export type EventFact =
  | Pick<PayoutEvent, 'type' | 'occurredAt' | 'data'>
  | Pick<DepositEvent, 'type' | 'occurredAt' | 'data'>

/** Gives an event its id, its instant of record and its final bytes. */
export function recordEvent(ports: RecordEventPorts, happening: EventFact): NewEvent {
  const { type, occurredAt } = happening
  const { id: subjectId, tenantId } = happening.data
  // A pending deposit occurred in its block; everything else occurs with the commit that records it.
  const recordedAt = type === 'deposit.pending' ? notBefore(ports.now(), occurredAt) : occurredAt
  const id = ports.ids.uuid(recordedAt)
  const encoded = ports.encodeEvent({ ...happening, id, tenantId, recordedAt })
  return { id, tenantId, type, occurredAt, recordedAt, subjectId, ...encoded }
}
