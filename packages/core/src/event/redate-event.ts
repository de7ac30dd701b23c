import { uuidAt } from '../ids.ts'
import { isoText } from '../time.ts'
import type { EventRecord, NewEvent } from './event.ts'

/** The result of a commit that dates the settlement later than the write did. */
export type Redated = { readonly redatedTo: Date }

/**
 * An event that the store dates later, since the instants of a tenant's log never go back: with these
 * instants in its bytes, and with an id of the instant of record. For stores; the function of the same
 * purpose in SQL is `quipu.redated_body`.
 *
 * @param recordedAt not before the event's own
 * @param occurredAt by itself the same: what ends with its commit occurs then
 */
export function redateEvent(
  { places, ...event }: NewEvent,
  recordedAt: Date,
  occurredAt: Date = recordedAt,
): EventRecord {
  const id = uuidAt(event.id, recordedAt)
  const body = new Uint8Array(event.body)
  const write = (text: string, place: number): void =>
    body.set(new TextEncoder().encode(text), place)
  write(id, places.id)
  write(isoText(recordedAt), places.recordedAt)
  for (const place of [places.occurredAt, places.settledAt])
    if (place !== null) write(isoText(occurredAt), place)
  return { ...event, id, occurredAt, recordedAt, body }
}
