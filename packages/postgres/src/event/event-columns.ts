import type { EventPlaces } from '@quipu/core/adapter'
import { binaryArray, textArray } from '../batch/binary-array.ts'
import { traceparentLength } from '@quipu/tracing'
import type { TracedEvent } from './traced-event.ts'

/**
 * The parameters of a batch's events of payouts: their ids and the traces of their commits. Their bytes are made of the
 * rows, by the function that writes them.
 */
export const payoutEventColumns = (
  events: readonly (TracedEvent | null)[],
): readonly [ids: Buffer, traceparents: Buffer] => [
  binaryArray(
    'uuid',
    events.map((event) => event?.id),
  ),
  textArray(events.map((event) => event?.traceparent ?? null)),
]

/**
 * The parameters of a batch's events of deposits: their ids, four places an event, the offset at which each event's bytes
 * end, and the bytes of all events, concatenated. An item without an event has nulls and no bytes.
 */
export function eventColumns(
  events: readonly (TracedEvent | null)[],
): readonly [ids: Buffer, places: Buffer, ends: Buffer, bodies: Buffer] {
  const packed = events.map((event) => event && storedBody(event))
  let end = 0
  return [
    binaryArray(
      'uuid',
      events.map((event) => event?.id),
    ),
    binaryArray(
      'int4',
      packed.flatMap((each) => placesOf(each?.places)),
    ),
    binaryArray(
      'int4',
      packed.map((each) => (end += each?.bytes.length ?? 0)),
    ),
    Buffer.concat(packed.flatMap((each) => each?.bytes ?? [])),
  ]
}

function storedBody({ body, places, traceparent }: TracedEvent): { bytes: Uint8Array; places: EventPlaces } {
  if (traceparent?.length !== traceparentLength) return { bytes: body, places }
  const by = 1 + traceparentLength
  const bytes = Buffer.concat([Buffer.from(`\u001e${traceparent}`), body])
  const settledAt = places.settledAt === null ? null : places.settledAt + by
  return {
    bytes,
    places: { id: places.id + by, occurredAt: places.occurredAt + by, recordedAt: places.recordedAt + by, settledAt },
  }
}

const placesOf = (places: EventPlaces | null | undefined): readonly (number | null)[] =>
  places ? [places.id, places.occurredAt, places.recordedAt, places.settledAt] : noPlaces

const noPlaces = [null, null, null, null]
