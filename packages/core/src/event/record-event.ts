import type { Ids } from '../ids.ts'
import { type Clock, notBefore } from '../time.ts'
import type { DepositEvent, EncodeEvent, NewEvent, PayoutEvent } from './event.ts'

/** What making an event needs. */
export type RecordEventPorts = { readonly encodeEvent: EncodeEvent; readonly ids: Ids; readonly now: Clock }

/** The facts of an event, before it has an id. */
type EventFact = Pick<PayoutEvent, 'type' | 'occurredAt' | 'data'> | Pick<DepositEvent, 'type' | 'occurredAt' | 'data'>

/** Gives an event its id, its `recordedAt` and its final bytes, which are encoded when they are read. */
export function recordEvent(ports: RecordEventPorts, fact: EventFact): NewEvent {
  const { type, occurredAt } = fact
  const { id: subjectId, tenantId } = fact.data
  // A pending deposit occurred in its block; all other events occur with their commit.
  const recordedAt = type === 'deposit.pending' ? notBefore(ports.now(), occurredAt) : occurredAt
  const id = ports.ids.uuid(recordedAt)
  let encoded: ReturnType<EncodeEvent> | undefined
  // Once, and only for a store that takes the bytes: one may make them from its rows.
  const encode = () => (encoded ??= ports.encodeEvent({ ...fact, id, tenantId, recordedAt }))
  return {
    id,
    tenantId,
    type,
    occurredAt,
    recordedAt,
    subjectId,
    get body() {
      return encode().body
    },
    get places() {
      return encode().places
    },
  }
}
