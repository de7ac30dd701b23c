import { lookup, Resolver } from 'node:dns/promises'

/** Resolves to the addresses of a name, at least one. Rejects when there are none, or the lookup fails. */
export type ResolveName = (name: string) => Promise<readonly string[]>

/**
 * Queries the name servers, without the machine's hosts file and search domains, and without Node's four
 * lookup threads, which one slow name server could occupy.
 *
 * @param servers  addresses, with optional ports, instead of the system's name servers
 */
export function publicNames(servers?: readonly string[]): ResolveName {
  const resolver = new Resolver({ timeout: 1_500, maxTimeout: 1_500, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = [ipv4, ipv6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
    if (addresses.length === 0 && ipv4.status === 'rejected') throw asError(ipv4.reason)
    return addresses
  }
}

/** The system's lookup, with `localhost` and the names of containers. */
export const systemNames: ResolveName = async (name) => {
  const found = await lookup(name, { all: true, order: 'ipv4first' })
  return found.map(({ address }) => address)
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
