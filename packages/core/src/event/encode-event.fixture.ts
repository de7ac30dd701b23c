import { isoText } from '../time.ts'
import type { EncodeEvent } from '../webhook/outgoing-event.ts'

/** The instants and the id, one after the other. */
export const encodeForTest: EncodeEvent = ({ id, occurredAt, recordedAt }) => ({
  body: new TextEncoder().encode(`${isoText(occurredAt)} ${isoText(recordedAt)} ${id}`),
  places: { occurredAt: 0, recordedAt: 25, id: 50, settledAt: null },
})
