import type { EventPlaces } from '@quipu/core/adapter'

/** An event's bytes as they are stored. */
export type PackedBody = { readonly bytes: Buffer; readonly places: EventPlaces | null }

/**
 * What all events of a kind have in common: the texts around their values, in order. The place of a
 * template, from 1, is the first byte of what is packed by it: so templates are only ever added.
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

/** Between two values. JSON has no such byte. */
const separator = '\u001f'
const firstOfJson = 0x20

/**
 * Leaves out of an event's bytes what its kind has in common: it is more than half of them, and would be
 * written twice for each payout, to the log and to the table. What fits no template is stored as it is.
 *
 * @param places where the bytes contain the id and instants; the answer's are where the packed ones do
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

/** The bytes that were packed. @throws when their template is none of ours */
export function unpackBody(bytes: Uint8Array): Uint8Array {
  const marker = bytes[0] ?? firstOfJson
  if (marker >= firstOfJson) return bytes
  const segments = templates[marker - 1]
  if (segments === undefined)
    throw new Error(`event bytes are packed by unknown template ${marker}`)
  const values = latin1(bytes).slice(1).split(separator)
  const text = segments.map((segment, n) => segment + (values[n] ?? '')).join('')
  return Buffer.from(text, 'latin1')
}

/** One character a byte. */
const latin1 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')

/** Where each value begins; undefined when the text is not of this template. */
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

/** Each of the four is inside of a value: it keeps its distance from the value's beginning. */
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
