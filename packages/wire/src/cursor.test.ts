import { anyId, anyInstant, anyUuid } from '@quipu/core/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursor, cursorScope, decodeCursor, encodeCursor } from './cursor.ts'

const scope = cursorScope('payouts', 'ten_1', { status: 'completed' })
const anyPosition = fc.record({ createdAt: anyInstant, id: fc.oneof(anyId('po'), anyUuid) })

test('a cursor gives back its place, and is what the query’s schema takes', () => {
  fc.assert(
    fc.property(anyPosition, (position) => {
      const text = encodeCursor(position, scope)
      expect(decodeCursor(text, scope)).toEqual(position)
      expect(cursor.safeParse(text).success).toBe(true)
    }),
  )
})

test('a cursor is of one list, one owner and one set of filters', () => {
  const position = { createdAt: new Date(0), id: 'po_01KAGZ8M88000000000000000A' }
  const text = encodeCursor(position, scope)
  for (const other of [
    cursorScope('deposits', 'ten_1', { status: 'completed' }),
    cursorScope('payouts', 'ten_2', { status: 'completed' }),
    cursorScope('payouts', 'ten_1', { status: 'failed' }),
    cursorScope('payouts', 'ten_1', { type: 'completed' }),
    cursorScope('payouts', 'ten_1'),
  ])
    expect(decodeCursor(text, other)).toBeUndefined()
})

test('the order in which filters are given does not matter', () => {
  expect(cursorScope('payouts', 'ten_1', { a: '1', b: '2' })).toBe(
    cursorScope('payouts', 'ten_1', { b: '2', a: '1' }),
  )
})

test('a cursor with any character changed is refused, or is still the same place', () => {
  fc.assert(
    fc.property(
      anyPosition,
      fc.nat(),
      fc.stringMatching(/^[A-Za-z0-9_-]$/),
      (position, i, other) => {
        const text = encodeCursor(position, scope)
        const at = i % text.length
        const changed = text.slice(0, at) + other + text.slice(at + 1)
        const read = decodeCursor(changed, scope)
        if (read) expect(encodeCursor(read, scope)).toBe(changed)
      },
    ),
  )
})

test('junk is refused and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (text) => {
      expect(decodeCursor(text, scope)).toBeUndefined()
    }),
  )
})

test('a cursor that was put together by hand names no impossible place', () => {
  const forged = (text: string): string => Buffer.from(text).toString('base64url')
  for (const text of [
    `1.1.po_1\u0000.${scope}`,
    `1.-1.po_1.${scope}`,
    `1.01.po_1.${scope}`,
    `1.1e3.po_1.${scope}`,
    `1.999999999999999.po_1.${scope}`,
    `1.1..${scope}`,
    `1.1.${'p'.repeat(65)}.${scope}`,
    `2.1.po_1.${scope}`,
    `1.1.po_1.${scope}.`,
    ` 1.1.po_1.${scope}`,
  ])
    expect(decodeCursor(forged(text), scope), text).toBeUndefined()
  expect(decodeCursor(forged(`1.1.po_1.${scope}`), scope)).toEqual({
    createdAt: new Date(1),
    id: 'po_1',
  })
})

test('only one spelling of a cursor is accepted', () => {
  const text = encodeCursor({ createdAt: new Date(1), id: 'po_12' }, scope)
  for (const spelling of [`${text}=`, ` ${text}`, `${text}\n`, `${text}!`])
    expect(decodeCursor(spelling, scope)).toBeUndefined()
})
