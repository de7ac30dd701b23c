import { BlockList } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress, isPublicIpv4, isPublicIpv6 } from './public-address.ts'

const reserved = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((text) => {
  const [address = '', bits = ''] = text.split('/')
  return { address, bits: Number(bits) }
})

const oracle = new BlockList()
for (const { address, bits } of reserved) oracle.addSubnet(address, bits)

const ipv4Of = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.')
const valueOf = (address: string): number => address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)

const ipv4 = fc.nat(0xffff_ffff).map(ipv4Of)
const reservedIpv4 = fc
  .constantFrom(...reserved)
  .chain(({ address, bits }) => fc.nat(2 ** (32 - bits) - 1).map((offset) => ipv4Of(valueOf(address) + offset)))

const hexGroup = fc.nat(0xffff)
const groups = fc.tuple(
  fc.oneof(hexGroup, fc.constantFrom(0x2000, 0x2001, 0x2002, 0x3fff, 0x3ffe, 0x1fff, 0x4000, 0)),
  fc.oneof(hexGroup, fc.constantFrom(0, 0x1ff, 0x200, 0xdb7, 0xdb8, 0xdb9, 0xfff, 0x1000)),
  ...Array.from({ length: 6 }, () => fc.oneof(hexGroup, fc.constant(0))),
)
const fullText = (parts: readonly number[]): string => parts.map((part) => part.toString(16).padStart(4, '0')).join(':')
/** In the notation of a URL. */
const shortText = (parts: readonly number[]): string => new URL(`http://[${fullText(parts)}]/`).hostname.slice(1, -1)

test('the first and last address of each reserved range are not public, their neighbours are', () => {
  const neighbours = new Map<string, boolean>()
  for (const { address, bits } of reserved) {
    const [first, last] = [valueOf(address), valueOf(address) + 2 ** (32 - bits) - 1]
    expect(isPublicIpv4(ipv4Of(first)), ipv4Of(first)).toBe(false)
    expect(isPublicIpv4(ipv4Of(last)), ipv4Of(last)).toBe(false)
    if (first > 0) neighbours.set(ipv4Of(first - 1), true)
    if (last < 0xffff_ffff) neighbours.set(ipv4Of(last + 1), true)
  }
  neighbours.delete('240.0.0.0')
  neighbours.delete('239.255.255.255')
  expect([...neighbours.keys()].filter((address) => !isPublicIpv4(address))).toEqual([])
})

test('IPv4 addresses are public when a BlockList of Node does not contain them', () => {
  fc.assert(
    fc.property(fc.oneof(ipv4, reservedIpv4), (address) => {
      expect(isPublicAddress(address)).toBe(!oracle.check(address))
    }),
  )
})

test('IPv6 addresses are public in 2000::/3 without Teredo, documentation and 6to4', () => {
  fc.assert(
    fc.property(groups, ([first, second, ...rest]) => {
      const isGlobal = first >= 0x2000 && first <= 0x3fff
      const isProtocol = first === 0x2001 && second < 0x200
      const isDocumentation = (first === 0x2001 && second === 0xdb8) || (first === 0x3fff && second < 0x1000)
      const expected = isGlobal && !isProtocol && !isDocumentation && first !== 0x2002
      const parts = [first, second, ...rest]
      expect(isPublicIpv6(fullText(parts))).toBe(expected)
      expect(isPublicIpv6(shortText(parts))).toBe(expected)
      expect(isPublicAddress(shortText(parts).toUpperCase())).toBe(expected)
    }),
  )
})

test('no IPv4 address is public inside of an IPv6 address', () => {
  fc.assert(
    fc.property(ipv4, (address) => {
      const hex = valueOf(address).toString(16).padStart(8, '0')
      const two = `${hex.slice(0, 4)}:${hex.slice(4)}`
      const forms = [
        `::${address}`,
        `::ffff:${address}`,
        `::ffff:${two}`,
        `::ffff:0:${address}`,
        `64:ff9b::${address}`,
        `64:ff9b:1::${address}`,
        `2002:${two}::1`,
        `2001:0:${two}::`,
      ]
      expect(forms.filter(isPublicAddress)).toEqual([])
    }),
  )
})

test('an address in an unusual notation is not public, whatever it is', () => {
  fc.assert(
    fc.property(ipv4, (address) => {
      const value = valueOf(address)
      const bytes = address.split('.').map(Number)
      const forms = [
        String(value),
        `0x${value.toString(16)}`,
        `0${value.toString(8)}`,
        bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
        bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
        `${bytes[0]}.${value % 2 ** 24}`,
        `${address}.`,
        ` ${address}`,
        `${address}/32`,
        `${address}%eth0`,
      ]
      expect(forms.filter(isPublicAddress)).toEqual([])
    }),
  )
})

test('an address with a zone is not public', () => {
  expect(isPublicAddress('2600::1')).toBe(true)
  expect(isPublicAddress('2600::1%eth0')).toBe(false)
})

test('a part of a public address is not public', () => {
  expect(isPublicAddress('2606:4700::1111')).toBe(true)
  const parts = ['2606:4700', '2606:4700::1::1', '2606:4700::1111/64', '[2606:4700::1111]', '8.8.8']
  expect(parts.filter(isPublicAddress)).toEqual([])
})

test('any other text is not a public address', () => {
  const text = fc.string({ unit: 'binary' }).filter((each) => !/^[0-9a-f.:]+$/i.test(each))
  fc.assert(
    fc.property(text, (each) => {
      expect(isPublicAddress(each)).toBe(false)
    }),
  )
})
