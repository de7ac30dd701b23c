import { BlockList, isIP } from 'node:net'

/** The parsed lists, by the list of a cached key: each is parsed once a reading of the key. */
const parsed = new WeakMap<readonly string[], BlockList>()

/**
 * Whether an address is in a list of addresses and CIDRs. An IPv4-mapped IPv6 address is its IPv4 address. An entry
 * that is neither an address nor a CIDR matches nothing.
 */
export function isAddressAllowed(allowed: readonly string[], address: string): boolean {
  let list = parsed.get(allowed)
  if (!list) parsed.set(allowed, (list = parse(allowed)))
  const [bare = ''] = address.split('%') // An IPv6 address may name its interface.
  const version = isIP(bare)
  return version !== 0 && list.check(bare, version === 4 ? 'ipv4' : 'ipv6')
}

function parse(allowed: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of allowed) {
    const [address = '', bits] = entry.split('/')
    const version = isIP(address)
    if (version === 0) continue
    const family = version === 4 ? 'ipv4' : 'ipv6'
    const most = version === 4 ? 32 : 128
    const prefix = bits === undefined ? most : Number(bits)
    if (Number.isInteger(prefix) && prefix >= 0 && prefix <= most) list.addSubnet(address, prefix, family)
  }
  return list
}
