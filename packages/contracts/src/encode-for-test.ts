import { type EncodeEvent, isoText, type NewEvent, type OutgoingEvent } from '@quipu/core'

type Envelope = Pick<NewEvent, 'id' | 'occurredAt' | 'recordedAt'> & {
  readonly type: OutgoingEvent['type']
  readonly settledAt: Date | null
}

/** Bytes that only an exact copy of them equals: spaces, escapes and the order of members are unusual. */
export function testBytes(envelope: Envelope): ReturnType<EncodeEvent> {
  const { id, type, occurredAt, recordedAt, settledAt } = envelope
  const chunks: Uint8Array[] = []
  let size = 0
  const add = (text: string): number => {
    const chunk = new TextEncoder().encode(text)
    chunks.push(chunk)
    size += chunk.length
    return size - chunk.length
  }
  const member = (text: string, value: string): number => {
    add(text)
    return add(value)
  }
  add(`{"type" : "${type}",`)
  const places = {
    id: member(`\n\t"id": "`, id),
    occurredAt: member(`", "note":"ñ 💸 \\u00e9", "occurred_at" : "`, isoText(occurredAt)),
    recordedAt: member(`","recorded_at": "`, isoText(recordedAt)),
    settledAt: settledAt && member(`", "settled_at" :"`, isoText(settledAt)),
  }
  add(`"}  `)
  const body = new Uint8Array(size)
  let end = 0
  for (const chunk of chunks) {
    body.set(chunk, end)
    end += chunk.length
  }
  return { body, places }
}

/** An `EncodeEvent` for tests of the core. */
export const encodeForTest: EncodeEvent = (event) =>
  testBytes({ ...event, settledAt: settledAt(event) })

function settledAt(event: OutgoingEvent): Date | null {
  if (event.type === 'webhook.test') return null
  const { data } = event
  if (data.status === 'completed') return data.endedAt
  return data.status === 'credited' ? data.creditedAt : null
}
