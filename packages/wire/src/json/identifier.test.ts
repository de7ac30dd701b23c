import { idSource } from '@quipu/core'
import { anyId, anyInstant, anyUuid } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isId, parseUuid } from './identifier.ts'

const ids = idSource((size) => new Uint8Array(size).fill(0xff))

test('generated ids are ids of their kind and of no other', () => {
  fc.assert(
    fc.property(anyInstant, (at) => {
      expect(isId('po', ids.next('po', at))).toBe(true)
      expect(isId('qrr', ids.next('po', at))).toBe(false)
      expect(parseUuid(ids.uuid(at))).toBe(ids.uuid(at))
    }),
  )
})

test('any ULID with its prefix is an id, and nothing else is', () => {
  fc.assert(
    fc.property(anyId('ten'), (id) => {
      expect(isId('ten', id)).toBe(true)
      for (const other of [` ${id}`, `${id}\n`, id.toLowerCase(), id.slice(0, -1), `${id}0`])
        expect(isId('ten', other)).toBe(false)
    }),
  )
  for (const text of ['', 'po_', 'po_\u0000', 'po_81KAGZ8M8800000000000000AA', 'po_01KAGZ8M8800000000000000IL'])
    expect(isId('po', text)).toBe(false)
})

test('a UUID is read in either case and answered in lower case', () => {
  fc.assert(
    fc.property(anyUuid, (uuid) => {
      expect(parseUuid(uuid.toUpperCase())).toBe(uuid)
    }),
  )
  for (const text of ['', 'x', '019aa1f4-5108-7000-8000-00000000000a\u0000']) expect(parseUuid(text)).toBeUndefined()
})
