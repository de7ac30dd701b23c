import { expect, test } from 'vitest'
import { isoText } from '../time.ts'
import type { NewEvent } from './event.ts'
import { redateEvent } from './redate-event.ts'

const at = new Date('2026-11-20T15:04:05.000Z')
const later = new Date('2026-11-20T15:04:06.789Z')
const muchLater = new Date('2026-11-21T00:00:00.000Z')
const id = '019aa217-7e08-7000-8000-00000000000a'
const idAt = (text: string): string => `${text}-7000-8000-00000000000a`

/** A body of `recordedAt`, `settledAt`, id and `occurredAt`, in brackets. */
const bodyOf = (...texts: readonly string[]): string => texts.map((text) => `<${text}>`).join('')
const places = { recordedAt: 1, settledAt: 27, id: 53, occurredAt: 91 }

const event: NewEvent = {
  id,
  tenantId: 'ten_1',
  type: 'payout.completed',
  subjectId: 'po_1',
  occurredAt: at,
  recordedAt: at,
  places,
  body: new TextEncoder().encode(bodyOf(isoText(at), isoText(at), id, isoText(at))),
}
const textOf = ({ body }: { readonly body: Uint8Array }): string => new TextDecoder().decode(body)

test('an event that occurs with its commit gets the later instant everywhere, and an id of it', () => {
  const before = textOf(event)
  const redated = redateEvent(event, later)
  const newId = redated.id
  expect(redated).toMatchObject({ tenantId: 'ten_1', subjectId: 'po_1', type: event.type })
  expect([redated.occurredAt, redated.recordedAt]).toEqual([later, later])
  expect(newId.slice(13)).toBe(id.slice(13))
  expect(Number.parseInt(newId.slice(0, 13).replace('-', ''), 16)).toBe(later.getTime())
  expect(textOf(redated)).toBe(bodyOf(isoText(later), isoText(later), newId, isoText(later)))
  // The store may have to redate it again.
  expect(textOf(event)).toBe(before)
})

test('an event that occurred earlier keeps its instants but that of its record', () => {
  const redated = redateEvent(event, muchLater, later)
  expect([redated.occurredAt, redated.recordedAt]).toEqual([later, muchLater])
  expect(textOf(redated)).toBe(bodyOf(isoText(muchLater), isoText(later), redated.id, isoText(later)))
})

test('an event without an instant of settlement keeps the bytes between its places', () => {
  const redated = redateEvent({ ...event, places: { ...places, settledAt: null } }, later)
  expect(textOf(redated)).toBe(bodyOf(isoText(later), isoText(at), redated.id, isoText(later)))
})

test('a redated event has no places', () => {
  expect(redateEvent(event, later)).not.toHaveProperty('places')
})

test('the id is the one that the instant has', () => {
  expect(redateEvent(event, new Date(0)).id).toBe(idAt('00000000-0000'))
})
