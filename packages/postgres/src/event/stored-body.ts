import { traceparentLength } from '@quipu/tracing'

/** Begins stored bytes that follow the sampled `traceparent` of their event's commit. It cannot begin an event. */
const traceMarker = 0x1e
const tracePrefixLength = 1 + traceparentLength
const brace = 0x7b

/** The `traceparent` that was stored with an event's bytes (`event_body` in migrations/0005-payout-commits.sql). */
export const traceparentOf = (stored: Uint8Array): string | undefined =>
  stored[0] === traceMarker ? new TextDecoder('latin1').decode(stored.subarray(1, tracePrefixLength)) : undefined

/**
 * The bytes of an event as they are sent.
 *
 * @throws Error when they are no JSON object, because the row was changed
 */
export function bodyOf(stored: Uint8Array): Uint8Array {
  const body = stored[0] === traceMarker ? stored.subarray(tracePrefixLength) : stored
  if (body[0] === brace) return body
  throw new Error('the stored bytes of an event do not begin with a brace: restore the row from a backup')
}
