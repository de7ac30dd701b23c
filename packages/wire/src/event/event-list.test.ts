import { expect, test } from 'vitest'
import { cursorScope, decodeCursor } from '../list/cursor.ts'
import { eventPage, eventPageText, eventText } from './event-list.ts'
import { event } from './event-example.ts'
import { sentEventToJson } from './operator-event.ts'

const scope = cursorScope('events', 'ten_1')

test('an event is shown with the bytes that are sent', () => {
  expect(Buffer.from(eventText(event))).toEqual(Buffer.from(event.body))
  expect(eventText(event)).toContain('Librería')
})

test('an event whose bytes are not UTF-8 is not shown with other characters', () => {
  expect(() => eventText({ body: Uint8Array.of(0x22, 0xff, 0x22) })).toThrow(TypeError)
})

test('a page has each event byte for byte, and a cursor', () => {
  const next = { createdAt: event.recordedAt, id: event.id }
  const text = eventPageText({ items: [event, event], next }, scope)
  const page = eventPage.parse(JSON.parse(text))
  expect(page.data).toHaveLength(2)
  expect(text.startsWith(`{"data":[${eventText(event)},${eventText(event)}],`)).toBe(true)
  expect(decodeCursor(page.next_cursor ?? '', scope)).toEqual(next)
})

test('an empty page has no cursor', () => {
  expect(eventPageText({ items: [], next: null }, scope)).toBe('{"data":[],"next_cursor":null}')
})

test('operators see an event with its tenant, and what its endpoints receive', () => {
  const { body, ...shown } = sentEventToJson(event)
  expect(shown).toMatchObject({ tenant_id: event.tenantId, subject_id: event.subjectId })
  expect(body).toEqual(JSON.parse(eventText(event)))
})
