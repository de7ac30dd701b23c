import { uuidAt } from '../ids.ts'
import { isoText, notBefore } from '../time.ts'
import type { EventRecord, NewEvent } from './event.ts'

/** The result of a commit that dates the settlement later than the write did. */
export type Redated = { readonly redatedTo: Date }

/**
 * The event of a settlement that the store dates later: with this instant in its bytes, and with an id of
 * the instant of record. For stores; the function of the same purpose in SQL is `quipu.redated_body`.
 *
 * @param at not before `occurredAt`
 * @throws when the event's data has no instant of settlement
 */
export function redateEvent({ places, ...event }: NewEvent, at: Date): EventRecord {
  if (places.settledAt === null) throw new Error(`event ${event.id} is of no settlement`)
  const recordedAt = notBefore(event.recordedAt, at)
  const id = uuidAt(event.id, recordedAt)
  const body = new Uint8Array(event.body)
  const write = (text: string, place: number): void =>
    body.set(new TextEncoder().encode(text), place)
  write(id, places.id)
  write(isoText(recordedAt), places.recordedAt)
  for (const place of [places.occurredAt, places.settledAt]) write(isoText(at), place)
  return { ...event, id, occurredAt: at, recordedAt, body }
}
