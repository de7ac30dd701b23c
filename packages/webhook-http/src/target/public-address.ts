import { isIPv4, isIPv6 } from 'node:net'

/** A prefix of at most 32 bits: its first value and its length. */
type Prefix = readonly [first: number, bits: number]

/** IPv4 ranges that are not public: the registries of RFC 6890, and addresses that clouds reserve. */
const reservedIpv4: readonly Prefix[] = [
  prefix4('0.0.0.0', 8),
  prefix4('10.0.0.0', 8),
  prefix4('100.64.0.0', 10),
  prefix4('127.0.0.0', 8),
  // Azure's metadata and DNS service, between public addresses.
  prefix4('168.63.129.16', 32),
  prefix4('169.254.0.0', 16),
  prefix4('172.16.0.0', 12),
  prefix4('192.0.0.0', 24),
  prefix4('192.0.2.0', 24),
  prefix4('192.88.99.0', 24),
  prefix4('192.168.0.0', 16),
  prefix4('198.18.0.0', 15),
  prefix4('198.51.100.0', 24),
  prefix4('203.0.113.0', 24),
  prefix4('224.0.0.0', 4),
  prefix4('240.0.0.0', 4),
]

/** The first 32 bits decide. Nothing outside this range is public, such as mapped IPv4 or NAT64. */
const globalIpv6: Prefix = [0x2000_0000, 3]

/** Protocol assignments (with Teredo), documentation, and 6to4, which embeds an IPv4 address. */
const reservedIpv6: readonly Prefix[] = [
  [0x2001_0000, 23],
  [0x2001_0db8, 32],
  [0x2002_0000, 16],
  [0x3fff_0000, 20],
]

/**
 * Whether the text is a public address in the usual notation. False for other texts, for addresses with
 * a zone, and for octal, hexadecimal or single-number notation.
 */
export const isPublicAddress = (text: string): boolean => isPublicIpv4(text) || isPublicIpv6(text)

/** Whether a text is an IPv4 address outside the private, reserved and special ranges. */
export function isPublicIpv4(text: string): boolean {
  if (!isIPv4(text)) return false
  const value = ipv4Value(text)
  return !reservedIpv4.some((prefix) => isWithin(value, prefix))
}

/** Whether a text is an IPv6 address of the global range, without a zone, outside the reserved and embedding ranges. */
export function isPublicIpv6(text: string): boolean {
  if (!isIPv6(text) || text.includes('%')) return false
  // A text that begins with `::` has an empty first group, which is outside the global range.
  const [first = '', second = ''] = text.split(':')
  const value = group(first) * 0x1_0000 + group(second)
  return isWithin(value, globalIpv6) && !reservedIpv6.some((prefix) => isWithin(value, prefix))
}

const isWithin = (value: number, [first, bits]: Prefix): boolean => value >= first && value < first + 2 ** (32 - bits)

/** An omitted group is zero. */
const group = (digits: string): number => (digits === '' ? 0 : Number.parseInt(digits, 16))

function ipv4Value(text: string): number {
  return text.split('.').reduce((value, byte) => value * 256 + Number(byte), 0)
}

function prefix4(first: string, bits: number): Prefix {
  return [ipv4Value(first), bits]
}
