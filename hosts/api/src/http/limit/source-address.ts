import type { Request } from 'express'
import { isIP, isIPv6 } from 'node:net'

/**
 * The key that rate limits count a request by: its IPv4 address, or the prefix of its IPv6 address,
 * since a single host commonly has 2⁶⁴ of them.
 *
 * @param ipv6PrefixBits  1 to 128
 */
export function sourceOf(req: Pick<Request, 'ip' | 'socket'>, ipv6PrefixBits: number): string {
  const address = addressOf(req)
  return isIPv6(address) ? ipv6Source(address, ipv6PrefixBits) : address
}

/** The address of a request's client, as the trusted proxies say. */
export function addressOf({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  // A proxy may forward any text: text that is not an address falls back to the socket's.
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip
}

/** Such as `2001:db8:0:1::/64`; for an IPv4-mapped address its IPv4 address. */
function ipv6Source(address: string, bits: number): string {
  const groups = groupsOf(address)
  const [a = 0, b = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535'
  if (isMapped) return [a >> 8, a & 255, b >> 8, b & 255].join('.')
  const kept = groups.map((group, at) => {
    const left = Math.min(16, Math.max(0, bits - at * 16))
    return (group & (0xffff << (16 - left))).toString(16)
  })
  return `${kept.join(':')}/${bits}`
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [host = ''] = address.split('%')
  // `URL` normalizes: `::ffff:192.0.2.1` becomes `::ffff:c000:201`.
  const { hostname } = new URL(`http://[${host}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const numbers = (text = ''): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [first, last] = [numbers(head), numbers(tail)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}
