import { binaryArray, textArray } from '../batch/binary-array.ts'
import type { TracedEvent } from './traced-event.ts'

/**
 * The parameters of a batch's events: their ids and the traces of their commits. The function that writes them makes
 * their bytes of the rows.
 */
export const eventColumns = (events: readonly (TracedEvent | null)[]): readonly [ids: Buffer, traceparents: Buffer] => [
  binaryArray(
    'uuid',
    events.map((event) => event?.id),
  ),
  textArray(events.map((event) => event?.traceparent ?? null)),
]
