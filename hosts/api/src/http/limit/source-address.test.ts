import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceOf } from './source-address.ts'

const counted = (ip: string | undefined, bits = 64, remoteAddress = '192.0.2.9'): string =>
  sourceOf({ ip, socket: { remoteAddress } } as Parameters<typeof sourceOf>[0], bits)

test.each([
  ['192.0.2.1', 64, '192.0.2.1'],
  ['::ffff:192.0.2.1', 64, '192.0.2.1'],
  ['::FFFF:c000:0201', 64, '192.0.2.1'],
  ['2001:db8:0:1:2:3:4:5', 64, '2001:db8:0:1:0:0:0:0/64'],
  ['2001:DB8:0:1::5', 64, '2001:db8:0:1:0:0:0:0/64'],
  ['2001:db8:0:1::5', 128, '2001:db8:0:1:0:0:0:5/128'],
  ['2001:db8:0:1ff::5', 60, '2001:db8:0:1f0:0:0:0:0/60'],
  ['ffff::1', 1, '8000:0:0:0:0:0:0:0/1'],
  ['::', 64, '0:0:0:0:0:0:0:0/64'],
  ['::1', 128, '0:0:0:0:0:0:0:1/128'],
  ['fe80::1%eth0', 64, 'fe80:0:0:0:0:0:0:0/64'],
])('%s with a prefix of %i bits counts as %s', (ip, bits, source) => {
  expect(counted(ip, bits)).toBe(source)
})

test.each([undefined, '', 'unknown', '192.0.2.1:4000', 'x'.repeat(9_000)])(
  'a forwarded text that is no address falls back to the socket address: %s',
  (ip) => {
    expect(counted(ip)).toBe('192.0.2.9')
  },
)

test('two IPv6 addresses count as one source exactly when their prefixes are equal', () => {
  const bigintOf = (groups: readonly number[]) => groups.reduce((sum, group) => sum * 65_536n + BigInt(group), 0n)
  const address = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
  const text = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':')
  fc.assert(
    fc.property(address, address, fc.integer({ min: 1, max: 128 }), (first, other, bits) => {
      const near = first.map((group, at) => (at < bits / 16 ? group : (other[at] ?? 0)))
      for (const second of [other, near]) {
        const isSame = bigintOf(first) >> BigInt(128 - bits) === bigintOf(second) >> BigInt(128 - bits)
        expect(counted(text(first), bits) === counted(text(second), bits)).toBe(isSame)
      }
    }),
  )
})
