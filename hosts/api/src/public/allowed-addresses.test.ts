import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAddressAllowed } from './allowed-addresses.ts'

test.each([
  ['192.0.2.10', '192.0.2.10', true],
  ['192.0.2.10', '192.0.2.11', false],
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.77/24', '192.0.2.1', true],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['192.0.2.0/24', '::ffff:192.0.2.7', true],
  ['192.0.2.0/24', '::ffff:192.0.3.7', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:DB8:0:0::1', '2001:db8::1', true],
  ['fe80::1', 'fe80::1%eth0', true],
  ['::/0', '2001:db8::1', true],
  ['192.0.2.0/33', '192.0.2.0', false],
  ['not an address', '192.0.2.0', false],
  ['192.0.2.10', '', false],
])('%s permits %s: %s', (entry, address, expected) => {
  expect(isAddressAllowed([entry], address)).toBe(expected)
  expect(isAddressAllowed(['198.51.100.1', entry], address)).toBe(expected)
})

test('a CIDR of IPv4 permits the addresses with its prefix', () => {
  const word = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  const textOf = (value: number) => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 32 }), (base, address, bits) => {
      const size = 2 ** (32 - bits)
      const isInside = Math.floor(base / size) === Math.floor(address / size)
      expect(isAddressAllowed([`${textOf(base)}/${bits}`], textOf(address))).toBe(isInside)
    }),
  )
})
