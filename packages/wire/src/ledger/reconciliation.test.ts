import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { reconciliation, reconciliationToJson } from './reconciliation.ts'

const at = new Date('2026-11-20T15:04:05.006Z')
const books = {
  asOf: at,
  credited: usdt(1_000_000_000n),
  debited: usdt(10_203_353n),
  adjusted: usdt(-500_000n),
  held: usdt(0n),
  available: usdt(989_296_647n),
  balanced: true,
  drift: usdt(0n),
  scannedThrough: { number: 58_213_377, id: 'ab', at },
}
const json = {
  as_of: '2026-11-20T15:04:05.006Z',
  credited: '1000.000000',
  debited: '10.203353',
  adjusted: '-0.500000',
  held: '0.000000',
  available: '989.296647',
  balanced: true,
  deposits_scanned_through: { block: 58_213_377, at: '2026-11-20T15:04:05.006Z' },
}

test('a reconciliation has exactly these members; adjustments can be negative', () => {
  expect(reconciliationToJson(books)).toEqual(json)
  expect(reconciliation.parse(json)).toEqual(json)
})

test('deposits_scanned_through is null before the first scanned block', () => {
  expect(reconciliationToJson({ ...books, scannedThrough: undefined })).toEqual({
    ...json,
    deposits_scanned_through: null,
  })
})
