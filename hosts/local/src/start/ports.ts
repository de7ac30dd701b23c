import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { StartRefusal } from './start-refusal.ts'

/** Where everything listens, on 127.0.0.1. */
export type Ports = {
  readonly api: number
  readonly operator: number
  readonly example: number
  readonly tron: number
  readonly qrNetwork: number
  readonly qrNetworkAdmin: number
  readonly tronAdmin: number
  readonly postgres: number
  readonly sqs: number
}

/** What each port is for, by its distance from the base. */
const distances: Ports = {
  api: 0,
  operator: 1,
  example: 2,
  tron: 3,
  qrNetwork: 4,
  qrNetworkAdmin: 5,
  postgres: 6,
  tronAdmin: 7,
  sqs: 8,
}

/** How many ports in a row belong to one base. */
export const portCount = 9

const mapPorts = (port: (distance: number) => number): Ports => ({
  api: port(distances.api),
  operator: port(distances.operator),
  example: port(distances.example),
  tron: port(distances.tron),
  qrNetwork: port(distances.qrNetwork),
  qrNetworkAdmin: port(distances.qrNetworkAdmin),
  postgres: port(distances.postgres),
  tronAdmin: port(distances.tronAdmin),
  sqs: port(distances.sqs),
})

export const portsFrom = (base: number): Ports => mapPorts((distance) => base + distance)

/** Ports that nobody uses at the moment. */
export async function freePorts(): Promise<Ports> {
  const servers = await Promise.all(Array.from({ length: portCount }, () => listenOn(0)))
  const taken = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(
    servers.map(async (server) => {
      server.close()
      await once(server, 'close')
    }),
  )
  return mapPorts((distance) => taken[distance] ?? 0)
}

/** @throws StartRefusal naming every one of these ports that is in use, and the way out */
export async function refuseTakenPorts(ports: readonly number[]): Promise<void> {
  const checks = await Promise.all(ports.map(isTaken))
  const taken = ports.filter((_, index) => checks[index])
  if (taken.length === 0) return
  const [which, what] = taken.length === 1 ? ['Port', 'is'] : ['Ports', 'are']
  throw new StartRefusal(
    `${which} ${taken.join(', ')} of 127.0.0.1 ${what} in use. End what uses them, or take others:\n` +
      `  QUIPU_PORT_BASE=${elsewhere(taken)} npx -y pnpm@12 start`,
  )
}

const elsewhere = ([first = 4000]: readonly number[]): number =>
  first + 200 < 65_536 ? Math.floor(first / 100) * 100 + 100 : 4000

async function isTaken(port: number): Promise<boolean> {
  try {
    const server = await listenOn(port)
    server.close()
    await once(server, 'close')
    return false
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return true
    throw error
  }
}

async function listenOn(port: number) {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
