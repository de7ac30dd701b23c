import { uuidAt } from '../ids.ts'
import { isoText } from '../time.ts'
import type { EventRecord, NewEvent } from './event.ts'

/** The result of a commit that gave the settlement a later instant than the write had. */
export type Redated = { readonly redatedTo: Date }

/**
 * The event with later instants in its members, its id and its bytes. A store redates an event when the
 * tenant's log has a later entry, since the instants of a log never decrease. In SQL: `quipu.redated_body`.
 *
 * @param recordedAt not before the event's own
 * @param occurredAt `recordedAt` by default: most events occur with their commit
 */
export function redateEvent(
  { places, ...event }: NewEvent,
  recordedAt: Date,
  occurredAt: Date = recordedAt,
): EventRecord {
  const id = uuidAt(event.id, recordedAt)
  const body = new Uint8Array(event.body)
  const write = (text: string, place: number): void => body.set(new TextEncoder().encode(text), place)
  write(id, places.id)
  write(isoText(recordedAt), places.recordedAt)
  for (const place of [places.occurredAt, places.settledAt]) if (place !== null) write(isoText(occurredAt), place)
  return { ...event, id, occurredAt, recordedAt, body }
}
