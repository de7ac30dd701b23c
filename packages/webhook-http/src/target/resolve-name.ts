import { lookup, Resolver } from 'node:dns/promises'

/** The addresses of a name, at least one. Rejects when it has none or cannot be looked up. */
export type ResolveName = (name: string) => Promise<readonly string[]>

/**
 * Asks the name servers themselves, never the machine's own list of hosts or its search domains. A slow
 * name server holds nothing up: Node looks names up in four threads, and this needs none of them.
 *
 * @param servers  addresses, perhaps with ports, in place of the system's
 */
export function publicNames(servers?: readonly string[]): ResolveName {
  const resolver = new Resolver({ timeout: 1_500, maxTimeout: 1_500, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    const [ipv4, ipv6] = await Promise.allSettled([
      resolver.resolve4(name),
      resolver.resolve6(name),
    ])
    const addresses = [ipv4, ipv6].flatMap((found) =>
      found.status === 'fulfilled' ? found.value : [],
    )
    if (addresses.length === 0 && ipv4.status === 'rejected') throw asError(ipv4.reason)
    return addresses
  }
}

/** What every other program on this machine would find, `localhost` and containers' names included. */
export const systemNames: ResolveName = async (name) => {
  const found = await lookup(name, { all: true, order: 'ipv4first' })
  return found.map(({ address }) => address)
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason))
