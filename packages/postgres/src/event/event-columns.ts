import type { NewEvent } from '@quipu/core'
import { binaryArray } from '../connection/binary-array.ts'

/**
 * The events of a batch as its function takes them: their ids, four places each, where each one's bytes end
 * among all of them, and the bytes, one event after the other.
 */
export function eventColumns(
  events: readonly (NewEvent | null)[],
): readonly [ids: Buffer, places: Buffer, ends: Buffer, bodies: Buffer] {
  let end = 0
  const places = events.flatMap(placesOf)
  return [
    binaryArray(
      'uuid',
      events.map((event) => event?.id),
    ),
    binaryArray('int4', places),
    binaryArray(
      'int4',
      events.map((event) => (end += event?.body.length ?? 0)),
    ),
    Buffer.concat(events.flatMap((event) => event?.body ?? [])),
  ]
}

function placesOf(event: NewEvent | null): readonly (number | null)[] {
  if (event === null) return [null, null, null, null]
  const { id, occurredAt, recordedAt, settledAt } = event.places
  return [id, occurredAt, recordedAt, settledAt]
}
