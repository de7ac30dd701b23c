import type { EventPlaces } from '@quipu/core/adapter'
import { traceparentLength } from '@quipu/tracing'

/** The stored form of an event's bytes. */
export type PackedBody = { readonly bytes: Buffer; readonly places: EventPlaces | null }

/**
 * The texts around the values of each kind of event, in order. Packed bytes begin with the number of their
 * template, from 1, so templates are only appended, never changed or removed.
 */
const templates: readonly (readonly string[])[] = [
  // Payout events of version 1 with a quote.
  [
    '{"id":"',
    '","type":"payout.',
    '","event_version":1,"occurred_at":"',
    '","recorded_at":"',
    '","data":{"id":"',
    '","type":"qr","status":"',
    '","transaction_id":"',
    '","resolution_id":',
    ',"quote":{"id":"',
    '","source":{"currency":"USDT","amount":"',
    '"},"target":{"currency":"BOB","amount":"',
    '"},"rate":"',
    '","fee":{"currency":"USDT","amount":"',
    '"},"expires_at":"',
    '"},"source":',
    ',"target":{"currency":"BOB","amount":"',
    '"},"qr":{"amount_mode":"',
    '","merchant":{"name":"',
    '","bank_code":"',
    '"}},"error":',
    ',"completed_at":',
    ',"created_at":"',
    '"}}',
  ],
]

/**
 * Begins packed bytes that follow a `traceparent`. A release that does not have it refuses the bytes, as it does
 * those of an unknown template.
 */
const traceMarker = 0x1e
const tracePrefixLength = 1 + traceparentLength

/** Separates two values. It cannot occur in JSON. */
const separator = '\u001f'
const firstOfJson = 0x20

/**
 * Packs an event's bytes: removes its template's text, which is more than half of the bytes and would be
 * written twice for each payout, to the write-ahead log and to the table. Bytes that fit no template stay as
 * they are.
 *
 * @param places the offsets of the id and instants in `body`; the result has their offsets in the packed
 *   bytes
 */
export function packBody(body: Uint8Array, places: EventPlaces | null = null): PackedBody {
  const text = latin1(body)
  for (const [index, segments] of templates.entries()) {
    const starts = startsOfValues(text, segments)
    if (starts === undefined) continue
    const marker = String.fromCharCode(index + 1)
    const values = starts.map((start, n) =>
      text.slice(start, (starts[n + 1] ?? text.length) - (segments[n + 1] ?? '').length),
    )
    const packed = marker + values.join(separator)
    return {
      bytes: Buffer.from(packed, 'latin1'),
      places: places && movePlaces(places, starts, values),
    }
  }
  if ((body[0] ?? firstOfJson) >= firstOfJson) return { bytes: Buffer.from(body), places }
  throw new TypeError('an event begins with a control character')
}

/**
 * Stores the sampled trace of an event's commit before its packed bytes, so that deliveries continue the trace. An
 * event without one takes no more space.
 */
export function withTraceparent(
  { bytes, places }: PackedBody,
  traceparent: string | undefined,
): PackedBody {
  if (traceparent?.length !== traceparentLength) return { bytes, places }
  const moved = places && {
    id: places.id + tracePrefixLength,
    occurredAt: places.occurredAt + tracePrefixLength,
    recordedAt: places.recordedAt + tracePrefixLength,
    settledAt: places.settledAt === null ? null : places.settledAt + tracePrefixLength,
  }
  const prefix = Buffer.from(String.fromCharCode(traceMarker) + traceparent, 'latin1')
  return { bytes: Buffer.concat([prefix, bytes]), places: moved }
}

/** The `traceparent` that was stored with an event's bytes. */
export const traceparentOf = (bytes: Uint8Array): string | undefined =>
  bytes[0] === traceMarker ? latin1(bytes.subarray(1, tracePrefixLength)) : undefined

/** Reverses `packBody` and `withTraceparent`. @throws Error when this release does not have the template */
export function unpackBody(bytes: Uint8Array): Uint8Array {
  const marker = bytes[0] ?? firstOfJson
  if (marker >= firstOfJson) return bytes
  if (marker === traceMarker) return unpackBody(bytes.subarray(tracePrefixLength))
  const segments = templates[marker - 1]
  if (segments === undefined)
    throw new Error(
      `event bytes are packed by template ${marker}, which this release does not have: run a newer one`,
    )
  const values = latin1(bytes).slice(1).split(separator)
  const text = segments.map((segment, n) => segment + (values[n] ?? '')).join('')
  return Buffer.from(text, 'latin1')
}

/** A text with one character a byte. */
const latin1 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')

/** The offset of each value; undefined when the text does not fit the template. */
function startsOfValues(text: string, segments: readonly string[]): readonly number[] | undefined {
  const [first = '', ...others] = segments
  if (!text.startsWith(first) || text.includes(separator)) return undefined
  const starts = [first.length]
  for (const segment of others) {
    const at = text.indexOf(segment, starts.at(-1))
    if (at === -1) return undefined
    starts.push(at + segment.length)
  }
  return starts.at(-1) === text.length ? starts : undefined
}

/** Moves the offsets with the values that contain them. */
function movePlaces(
  places: EventPlaces,
  starts: readonly number[],
  values: readonly string[],
): EventPlaces {
  const move = (place: number): number => {
    let packedStart = 1
    let n = 0
    while ((starts[n + 1] ?? Infinity) <= place) packedStart += (values[n++]?.length ?? 0) + 1
    return packedStart + place - (starts[n] ?? 0)
  }
  return {
    id: move(places.id),
    occurredAt: move(places.occurredAt),
    recordedAt: move(places.recordedAt),
    settledAt: places.settledAt === null ? null : move(places.settledAt),
  }
}
