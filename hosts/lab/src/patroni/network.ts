import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { held, type Release } from '../run/hold.ts'

/** A machine of the cluster, as the network sees it. */
export type Host = {
  readonly address: string
  /** The command before a program that runs there, without rights. */
  readonly prefix: readonly string[]
  /** Drops every packet from another host without a word. Undefined where there are no network namespaces. */
  readonly drop: ((from: Host) => Promise<Release>) | undefined
}

export type Network = { hosts(count: number): readonly Host[]; stop(): Promise<void> }

const run = promisify(execFile)
const ip = async (...args: readonly string[]): Promise<void> => void (await run('ip', args))

/** PostgreSQL and Patroni do not run as root. */
const nobody = '65534'

/** Only root may create network namespaces; elsewhere every host is an address of the loopback interface. */
export const hasNamespaces = process.platform === 'linux' && process.getuid?.() === 0

/** Hosts of a network of their own: namespaces on a bridge for root, or addresses of this machine. */
export async function openNetwork(size: number): Promise<Network> {
  if (!hasNamespaces)
    return {
      hosts: (count) => Array.from({ length: count }, (_, place) => loopback(place)),
      stop: async () => undefined,
    }
  const name = `q${process.pid}`
  const subnet = `10.${100 + (process.pid % 100)}.${Math.floor(process.pid / 100) % 250}`
  const bridge = `${name}b`
  await ip('link', 'add', bridge, 'type', 'bridge')
  await ip('address', 'add', `${subnet}.254/24`, 'dev', bridge)
  await ip('link', 'set', bridge, 'up')
  const hosts: Host[] = []
  for (let number = 1; number <= size; number++)
    hosts.push(await namespace(`${name}n${number}`, `${subnet}.${number}`, bridge))
  return {
    hosts: (count) => hosts.splice(0, count),
    stop: async () => {
      for (let number = 1; number <= size; number++) await ip('netns', 'delete', `${name}n${number}`)
      await ip('link', 'delete', bridge)
    },
  }
}

const loopback = (place: number): Host => ({
  address: `127.77.${process.pid % 250}.${place + 1}`,
  prefix: [],
  drop: undefined,
})

async function namespace(name: string, address: string, bridge: string): Promise<Host> {
  const inside = (...args: readonly string[]): Promise<void> => ip('-n', name, ...args)
  await ip('netns', 'add', name)
  await ip('link', 'add', `${name}v`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  await ip('link', 'set', `${name}v`, 'master', bridge, 'up')
  await inside('address', 'add', `${address}/24`, 'dev', 'eth0')
  for (const device of ['lo', 'eth0']) await inside('link', 'set', device, 'up')
  // The rule of local addresses comes first otherwise, and would accept a packet before a rule that drops it.
  await inside('rule', 'add', 'pref', '10', 'lookup', 'local')
  await inside('rule', 'delete', 'pref', '0')
  const rule = (verb: 'add' | 'delete', from: string): Promise<void> =>
    inside('rule', verb, 'pref', '5', 'from', from, 'blackhole')
  const drops = new Map<string, () => Promise<Release>>()
  const user = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--pdeathsig=KILL']
  return {
    address,
    prefix: ['ip', 'netns', 'exec', name, ...user],
    drop: ({ address: from }) => {
      const drop =
        drops.get(from) ??
        held(
          () => rule('add', from),
          () => rule('delete', from),
        )
      drops.set(from, drop)
      return drop()
    },
  }
}
