import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cellIds,
  cellLetters,
  idInstant,
  idSource,
  installationIds,
  isOfOtherCell,
  lowestId,
  walletTransactionId,
  walletTransactionSeq,
} from './ids.ts'

const ids = idSource(randomBytes)
const instants = fc.date({ min: new Date(0), max: new Date(2 ** 48 - 1), noInvalidDate: true })

describe('ULIDs', () => {
  test('a payout id is po_ and 26 characters of Crockford base 32', () => {
    fc.assert(
      fc.property(instants, (at) => {
        expect(ids.next('po', at)).toMatch(/^po_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
      }),
    )
  })

  test('ids of different milliseconds sort by time', () => {
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        fc.pre(a.getTime() < b.getTime())
        expect(ids.next('po', a) < ids.next('po', b)).toBe(true)
      }),
    )
  })

  test('the lowest id of an instant separates earlier ids from later ones', () => {
    fc.assert(
      fc.property(instants, (at) => {
        fc.pre(at.getTime() > 0)
        expect(lowestId('po', at) <= ids.next('po', at)).toBe(true)
        expect(lowestId('po', at) > ids.next('po', new Date(at.getTime() - 1))).toBe(true)
      }),
    )
  })

  test('an id contains every random bit', () => {
    const at = new Date(0)
    const idOf = (byte: number): string => idSource((size) => new Uint8Array(size).fill(byte)).next('po', at)
    expect(idOf(0x00)).toBe(`po_${'0'.repeat(26)}`)
    expect(idOf(0xff)).toBe(`po_${'0'.repeat(10)}${'Z'.repeat(16)}`)
    const flipped = Array.from({ length: 80 }, (_, bit) =>
      idSource((size) => {
        const bytes = new Uint8Array(size)
        bytes[bit >> 3] = 1 << (bit & 7)
        return bytes
      }).next('po', at),
    )
    expect(new Set(flipped).size).toBe(80)
  })
})

test('a uuid is of version 7 and sorts by time', () => {
  fc.assert(
    fc.property(instants, instants, (a, b) => {
      fc.pre(a.getTime() < b.getTime())
      expect(ids.uuid(a)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(ids.uuid(a) < ids.uuid(b)).toBe(true)
    }),
  )
})

test('a uuid equals the example of RFC 9562', () => {
  const random = Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f])
  const uuid = idSource(() => random).uuid(new Date('2022-02-22T19:22:22.000Z'))
  expect(uuid).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
})

test('10,000 ids of one instant are distinct', () => {
  const at = new Date('2026-11-21T00:00:00.000Z')
  expect(new Set(Array.from({ length: 10_000 }, () => ids.next('po', at))).size).toBe(10_000)
})

test('a wallet transaction’s id is a ULID of its time and number, and sorts by them', () => {
  const anyPlace = fc.tuple(
    fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
    fc.bigInt({ min: 1n, max: 2n ** 40n - 1n }),
  )
  fc.assert(
    fc.property(anyPlace, anyPlace, ([at, seq], [later, next]) => {
      const id = walletTransactionId('ten_1', at, seq)
      expect(id).toMatch(/^wtx_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
      expect(walletTransactionSeq(id)).toBe(seq)
      const isBefore = at < later || (at.getTime() === later.getTime() && seq < next)
      expect(id < walletTransactionId('ten_1', later, next)).toBe(isBefore)
    }),
  )
  const at = new Date('2026-03-01T00:00:00.000Z')
  expect(walletTransactionId('ten_1', at, 33n)).toMatch(/^wtx_01KJKB3Q0000000011.{8}$/)
  for (let seq = 1n; seq < 1100n; seq++) expect(walletTransactionSeq(walletTransactionId('ten_1', at, seq))).toBe(seq)
})

test('wallet transactions of 10,000 tenants have distinct ids', () => {
  const at = new Date('2026-03-01T00:00:00.000Z')
  const made = Array.from({ length: 10_000 }, (_, n) => walletTransactionId(`ten_${n}`, at, 1n))
  expect(new Set(made).size).toBe(10_000)
})

test.each([
  '',
  'wtx_',
  'po_01KJK8DV000000000000000011',
  'wtx_01KJK8DV00000000000000001U',
  'wtx_01KJK8DV000000010000000011 ',
  ' wtx_01KJK8DV000000010000000011',
  'wtx_01KJK8DV000000000000000011',
])('%j contains no number of a wallet transaction', (id) => {
  expect(walletTransactionSeq(id)).toBeUndefined()
})

test('a cell’s ids carry its letter after prefix and time, and nothing else of them changes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Array.from(cellLetters)),
      fc.uint8Array({ minLength: 10, maxLength: 10 }),
      (cell, bytes) => {
        const at = new Date('2026-11-28T12:00:00.123Z')
        const plain = idSource(() => bytes)
        const lettered = cellIds(cell, plain)
        expect(cellIds(undefined, plain)).toBe(plain)
        expect(lettered.cell).toBe(cell)
        expect(lettered.uuid(at)).toBe(plain.uuid(at))
        for (const prefix of ['po', 'wal'] as const) {
          const [id, old] = [lettered.next(prefix, at), plain.next(prefix, at)]
          const place = prefix.length + 11
          expect(id).toBe(`${old.slice(0, place)}${cell.toUpperCase()}${old.slice(place + 1)}`)
        }
        const payout = installationIds(() => 'WXYZ', lettered).next('po', at)
        expect(payout).toMatch(new RegExp(`^po_[0-9A-Z]{10}${cell.toUpperCase()}[0-9A-Z]{11}WXYZ$`))
        expect(isOfOtherCell(payout, cell)).toBe(false)
        expect(isOfOtherCell(payout, undefined)).toBe(false)
        expect(isOfOtherCell(payout, cell === 'g' ? 'h' : 'g')).toBe(true)
        expect(isOfOtherCell('foreign reference', 'g')).toBe(false)
      },
    ),
  )
})

test('the instant of an id is that of its making; another text has none', () => {
  for (const ms of [0, 1, 1_763_647_509_320, 2 ** 48 - 1])
    expect(idInstant(idSource((size) => new Uint8Array(size)).next('po', new Date(ms)))).toEqual(new Date(ms))
  for (const text of ['', 'po_', 'po_01KAG4Y2V7Q3B9T8M5XN0C6DR', 'openhub:14262611200249000042'])
    expect(idInstant(text)).toBeUndefined()
})
