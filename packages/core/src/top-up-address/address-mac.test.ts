import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasValidMac, addressMac, addressIntegrityError } from './address-mac.ts'

const ringOf = (id: string, text: string) => [{ id, key: new TextEncoder().encode(text) }] as const
const keys = ringOf('1', 'a key of thirty-two bytes, or so')
const tron = { chain: 'tron' } as const
const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
const anyPlace = fc.record({ tenantId: anyText, index: fc.nat(2 ** 31 - 1), address: anyText })
const source = { derive: (index: number) => ({ account: `a${index}`, address: `T${index}` }) }
const row = (index: number, address: string) => {
  const authenticated = { ...tron, tenantId: 'ten_1', index, address }
  const account = `a${index}`
  return { ...authenticated, account, mac: addressMac(keys, authenticated), createdAt: new Date(0), retiredAt: null }
}

test('the address MAC of version 1 is pinned', () => {
  expect(addressMac(keys, { ...tron, tenantId: 'ten_1', index: 7, address: 'Tabc' })).toBe(
    '1.ccf89d030b3a85bbf04f27edb9e9c489ecfb824207462b75f221c4e003692abf',
  )
})

test('an address MAC matches only its own tenant, chain, index and address', () => {
  fc.assert(
    fc.property(anyPlace, anyPlace, (one, other) => {
      const mac = addressMac(keys, { ...tron, ...one })
      expect(hasValidMac(keys, { ...tron, ...one, mac })).toBe(true)
      const isSame = one.tenantId === other.tenantId && one.index === other.index && one.address === other.address
      expect(hasValidMac(keys, { ...tron, ...other, mac })).toBe(isSame)
    }),
  )
})

test('a MAC of another key, or an empty one, does not match', () => {
  const place = { ...tron, tenantId: 'ten_1', index: 7, address: 'Tabc' }
  const otherKeys = ringOf('1', 'another key of thirty-two bytes!')
  expect(hasValidMac(keys, { ...place, mac: addressMac(otherKeys, place) })).toBe(false)
  expect(hasValidMac(keys, { ...place, mac: '' })).toBe(false)
  expect(hasValidMac(keys, { ...place, mac: 'é'.repeat(32) })).toBe(false)
})

test('older keys of a ring read MACs, and the current one makes them', () => {
  const place = { ...tron, tenantId: 'ten_1', index: 7, address: 'Tabc' }
  const rotated = [...ringOf('2', 'another key of thirty-two bytes!'), ...keys] as const
  const older = addressMac(keys, place)
  expect(hasValidMac(rotated, { ...place, mac: older })).toBe(true)
  expect(hasValidMac(rotated, { ...place, mac: older.replace('1.', '2.') })).toBe(false)
  const renewed = addressMac(rotated, place)
  expect(renewed).toMatch(/^2\./)
  expect(hasValidMac(rotated, { ...place, mac: renewed })).toBe(true)
  expect(hasValidMac(keys, { ...place, mac: renewed })).toBe(false)
})

test('a row has integrity when its MAC matches and its index derives its address', () => {
  expect(addressIntegrityError(keys, source, row(7, 'T7'))).toBeNull()
  expect(addressIntegrityError(keys, source, { ...row(7, 'T7'), address: 'T8' })).toMatch(/MAC/)
  expect(addressIntegrityError(keys, source, { ...row(7, 'T7'), tenantId: 'ten_2' })).toMatch(/MAC/)
  expect(addressIntegrityError(keys, source, row(7, 'T8'))).toMatch(/derives another address/)
  expect(addressIntegrityError(keys, source, { ...row(7, 'T7'), account: 'a8' })).toMatch(/derives another/)
})
