import type { Ids } from '../ids.ts'
import { type Clock, notBefore } from '../time.ts'
import type { EncodeEventOf, EventOf, NewEvent, TenantEventType } from './event.ts'

/** Ports for events of these types about this data. */
export type RecordEventPorts<Type extends TenantEventType, Data> = {
  readonly encodeEvent: EncodeEventOf<EventOf<Type, Data>>
  readonly ids: Ids
  readonly now: Clock
}

/** Gives an event its id, its `recordedAt` and its final bytes, which are encoded when they are read. */
export function recordEvent<
  Type extends TenantEventType,
  Data extends { readonly id: string; readonly tenantId: string },
>(ports: RecordEventPorts<Type, Data>, fact: Pick<EventOf<Type, Data>, 'type' | 'occurredAt' | 'data'>): NewEvent {
  const { type, occurredAt } = fact
  const { id: subjectId, tenantId } = fact.data
  // A pending deposit occurred in its block; all other events occur with their commit.
  const recordedAt = type === 'deposit.pending' ? notBefore(ports.now(), occurredAt) : occurredAt
  const id = ports.ids.uuid(recordedAt)
  let encoded: ReturnType<typeof ports.encodeEvent> | undefined
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
