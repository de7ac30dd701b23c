import { isoText } from '../time.ts'
import type { EncodeEventOf, EventOf } from './event.ts'

/** The instants and the id, one after the other. */
export const encodeForTest: EncodeEventOf<EventOf<string, unknown>> = ({ id, occurredAt, recordedAt }) =>
  new TextEncoder().encode(`${isoText(occurredAt)} ${isoText(recordedAt)} ${id}`)
