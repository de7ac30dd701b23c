import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasValidMac, addressMac, addressIntegrityError } from './address-mac.ts'

const key = new TextEncoder().encode('a key of thirty-two bytes, or so')
const tron = { chain: 'tron' } as const
const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
const anyPlace = fc.record({
  tenantId: anyText,
  index: fc.nat(2 ** 31 - 1),
  address: anyText,
})
const source = { derive: (index: number) => ({ account: `a${index}`, address: `T${index}` }) }
const row = (index: number, address: string) => {
  const authenticated = { ...tron, tenantId: 'ten_1', index, address }
  const account = `a${index}`
  return {
    ...authenticated,
    account,
    mac: addressMac(key, authenticated),
    createdAt: new Date(0),
    retiredAt: null,
  }
}

test('the address MAC of version 1 is pinned', () => {
  expect(addressMac(key, { ...tron, tenantId: 'ten_1', index: 7, address: 'Tabc' })).toBe(
    'ccf89d030b3a85bbf04f27edb9e9c489ecfb824207462b75f221c4e003692abf',
  )
})

test('an address MAC matches only its own tenant, chain, index and address', () => {
  fc.assert(
    fc.property(anyPlace, anyPlace, (one, other) => {
      const mac = addressMac(key, { ...tron, ...one })
      expect(hasValidMac(key, { ...tron, ...one, mac })).toBe(true)
      const isSame =
        one.tenantId === other.tenantId &&
        one.index === other.index &&
        one.address === other.address
      expect(hasValidMac(key, { ...tron, ...other, mac })).toBe(isSame)
    }),
  )
})

test('a MAC of another key, or an empty one, does not match', () => {
  const place = { ...tron, tenantId: 'ten_1', index: 7, address: 'Tabc' }
  const otherKey = new TextEncoder().encode('another key of thirty-two bytes!')
  expect(hasValidMac(key, { ...place, mac: addressMac(otherKey, place) })).toBe(false)
  expect(hasValidMac(key, { ...place, mac: '' })).toBe(false)
  expect(hasValidMac(key, { ...place, mac: 'é'.repeat(32) })).toBe(false)
})

test('a row has integrity when its MAC matches and its index derives its address', () => {
  expect(addressIntegrityError(key, source, row(7, 'T7'))).toBeNull()
  expect(addressIntegrityError(key, source, { ...row(7, 'T7'), address: 'T8' })).toMatch(/MAC/)
  expect(addressIntegrityError(key, source, { ...row(7, 'T7'), tenantId: 'ten_2' })).toMatch(/MAC/)
  expect(addressIntegrityError(key, source, row(7, 'T8'))).toMatch(/derives another address/)
  expect(addressIntegrityError(key, source, { ...row(7, 'T7'), account: 'a8' })).toMatch(
    /derives another/,
  )
})
