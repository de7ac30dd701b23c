import type { EventPlaces } from '@quipu/core/adapter'
import { traceparentLength } from '@quipu/tracing'

/** The stored form of an event's bytes. */
export type PackedBody = { readonly bytes: Buffer; readonly places: EventPlaces | null }

/** The text before a value, and the place of the earlier value that this one mostly repeats. */
type Segment = readonly [text: string, repeats?: number]

/** The beginning of an event of version 1, up to the expiry of the payout's quote. */
const payoutEnvelope: readonly Segment[] = [
  ['{"id":"'],
  ['","type":"payout.'],
  ['","event_version":1,"occurred_at":"'],
  ['","recorded_at":"', 2],
  ['","data":{"id":"'],
  ['","type":"qr","status":"', 1],
  ['","transaction_id":"'],
  ['","resolution_id":'],
  [',"quote":{"id":"'],
  ['","source":{"currency":"USDT","amount":"'],
  ['"},"target":{"currency":"BOB","amount":"'],
  ['"},"rate":"'],
  ['","fee":{"currency":"USDT","amount":"'],
  ['"},"expires_at":"'],
]

/**
 * The texts around the values of each kind of event, in order; the text after the last value comes last. Packed
 * bytes begin with the number of their template, from 1, so templates are only appended, never changed or removed.
 */
const templates: readonly (readonly Segment[])[] = [
  // A completed payout.
  [
    ...payoutEnvelope,
    ['"},"source":{"currency":"USDT","amount":"', 9],
    ['"},"target":{"currency":"BOB","amount":"', 10],
    ['"},"qr":{"amount_mode":"'],
    ['","merchant":{"name":"'],
    ['","bank_code":"'],
    ['"}},"error":null,"completed_at":"', 2],
    ['","created_at":"'],
    ['"}}'],
  ],
  // Any other payout with a quote.
  [
    ...payoutEnvelope,
    ['"},"source":'],
    [',"target":{"currency":"BOB","amount":"', 10],
    ['"},"qr":{"amount_mode":"'],
    ['","merchant":{"name":"'],
    ['","bank_code":"'],
    ['"}},"error":'],
    [',"completed_at":'],
    [',"created_at":"'],
    ['"}}'],
  ],
]

/**
 * Begins packed bytes that follow a `traceparent`. A release that does not have it refuses the bytes, as it does
 * those of an unknown template.
 */
const traceMarker = 0x1e
const tracePrefixLength = 1 + traceparentLength

/** Separates two values. It cannot occur in JSON, as `same` cannot. */
const separator = '\u001f'
/** Stored in place of a value that is equal to the one that it repeats. */
const same = '\u001d'
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
    const values = starts.map((start, n) =>
      text.slice(start, (starts[n + 1] ?? text.length) - (segments[n + 1]?.[0] ?? '').length),
    )
    const stored = values.map((value, n) => {
      const repeats = segments[n]?.[1]
      return repeats !== undefined && value === values[repeats] ? same : value
    })
    return {
      bytes: Buffer.from(String.fromCharCode(index + 1) + stored.join(separator), 'latin1'),
      places: places && movePlaces(places, starts, stored, segments),
    }
  }
  if ((body[0] ?? firstOfJson) >= firstOfJson) return { bytes: Buffer.from(body), places }
  throw new TypeError('an event begins with a control character')
}

/**
 * Stores the sampled trace of an event's commit before its packed bytes, so that deliveries continue the trace. An
 * event without one takes no more space.
 */
export function withTraceparent({ bytes, places }: PackedBody, traceparent: string | undefined): PackedBody {
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

/**
 * Reverses `packBody` and `withTraceparent`.
 *
 * @throws Error when this release does not have the template, or the bytes have another number of values than it:
 *   every value behind a damaged separator, amounts among them, would be that of another member
 */
export function unpackBody(bytes: Uint8Array): Uint8Array {
  const marker = bytes[0] ?? firstOfJson
  if (marker >= firstOfJson) return bytes
  if (marker === traceMarker) return unpackBody(bytes.subarray(tracePrefixLength))
  const segments = templates[marker - 1]
  if (segments === undefined)
    throw new Error(`event bytes are packed by template ${marker}, which this release does not have: run a newer one`)
  const values = latin1(bytes).slice(1).split(separator)
  if (values.length !== segments.length)
    throw new Error(
      `packed event bytes have ${values.length} values instead of ${segments.length}: restore the row from a backup`,
    )
  const valueOf = (n: number): string | undefined => (values[n] === same ? values[segments[n]?.[1] ?? -1] : values[n])
  const text = segments.map(([before], n) => before + (valueOf(n) ?? '')).join('')
  return Buffer.from(text, 'latin1')
}

/** A text with one character a byte. */
const latin1 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')

/** The offset of each value; undefined when the text does not fit the template. */
function startsOfValues(text: string, segments: readonly Segment[]): readonly number[] | undefined {
  if (text.includes(separator) || text.includes(same)) return undefined
  const starts: number[] = []
  for (const [before] of segments) {
    const at = text.indexOf(before, starts.at(-1))
    if (at === -1 || (starts.length === 0 && at > 0)) return undefined
    starts.push(at + before.length)
  }
  return starts.at(-1) === text.length ? starts : undefined
}

/**
 * Moves the offsets with the values that contain them. The offset of a `same` value becomes that of the value
 * that it repeats: redating an event writes the same instant to both.
 */
function movePlaces(
  places: EventPlaces,
  starts: readonly number[],
  stored: readonly string[],
  segments: readonly Segment[],
): EventPlaces {
  const storedStart = (n: number): number => stored.slice(0, n).reduce((start, value) => start + value.length + 1, 1)
  const move = (place: number): number => {
    const n = starts.findLastIndex((start) => start <= place)
    const offset = place - (starts[n] ?? 0)
    return offset + storedStart(stored[n] === same ? (segments[n]?.[1] ?? n) : n)
  }
  return {
    id: move(places.id),
    occurredAt: move(places.occurredAt),
    recordedAt: move(places.recordedAt),
    settledAt: places.settledAt === null ? null : move(places.settledAt),
  }
}
