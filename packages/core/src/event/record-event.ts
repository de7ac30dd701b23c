import { type Ids, uuidAt } from '../ids.ts'
import { type Clock, notBefore } from '../time.ts'
import type { EncodeEventOf, EventOf, NewEvent, TenantEventType } from './event.ts'

/** Ports for events of these types about this data. */
export type RecordEventPorts<Type extends TenantEventType, Data> = {
  readonly encodeEvent: EncodeEventOf<EventOf<Type, Data>>
  readonly ids: Ids
  readonly now: Clock
}

/**
 * Gives an event its id and its `recordedAt`. Its bytes are encoded for stores that do not make them of their rows.
 *
 * @param dataOn the data of a commit at this instant
 */
export function recordEvent<
  Type extends TenantEventType,
  Data extends { readonly id: string; readonly tenantId: string },
>(
  ports: RecordEventPorts<Type, Data>,
  fact: Pick<EventOf<Type, Data>, 'type' | 'occurredAt' | 'data'>,
  dataOn: (at: Date) => Data,
): NewEvent {
  const { type } = fact
  const { id: subjectId, tenantId } = fact.data
  // A pending deposit occurred in its block; all other events occur with their commit.
  const isOfBlock = type === 'deposit.pending'
  const recordedAt = isOfBlock ? notBefore(ports.now(), fact.occurredAt) : fact.occurredAt
  const about = { tenantId, type, occurredAt: fact.occurredAt }
  const id = ports.ids.uuid(recordedAt)
  return {
    ...about,
    id,
    recordedAt,
    subjectId,
    recordedOn: (at) => {
      const dated = { ...about, id: uuidAt(id, at), recordedAt: at, occurredAt: isOfBlock ? about.occurredAt : at }
      return { ...dated, subjectId, body: ports.encodeEvent({ ...dated, data: dataOn(at) }) }
    },
  }
}
