import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { StartRefusal } from './start-refusal.ts'

/** The port of each listener, on 127.0.0.1. */
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
  readonly worker: number
}

/** Offset of each port from the base. */
const offsets: Ports = {
  api: 0,
  operator: 1,
  example: 2,
  tron: 3,
  qrNetwork: 4,
  qrNetworkAdmin: 5,
  postgres: 6,
  tronAdmin: 7,
  sqs: 8,
  worker: 9,
}

/** Number of consecutive ports from one base. */
export const portCount = 10

const mapPorts = (port: (offset: number) => number): Ports => ({
  api: port(offsets.api),
  operator: port(offsets.operator),
  example: port(offsets.example),
  tron: port(offsets.tron),
  qrNetwork: port(offsets.qrNetwork),
  qrNetworkAdmin: port(offsets.qrNetworkAdmin),
  postgres: port(offsets.postgres),
  tronAdmin: port(offsets.tronAdmin),
  sqs: port(offsets.sqs),
  worker: port(offsets.worker),
})

export const portsFrom = (base: number): Ports => mapPorts((offset) => base + offset)

/** Ports that are free at the time of the call. */
export async function freePorts(): Promise<Ports> {
  const servers = await Promise.all(Array.from({ length: portCount }, () => listenOn(0)))
  const free = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(
    servers.map(async (server) => {
      server.close()
      await once(server, 'close')
    }),
  )
  return mapPorts((offset) => free[offset] ?? 0)
}

/** @throws StartRefusal that names every port in use, and suggests a free range */
export async function refuseTakenPorts(ports: readonly number[]): Promise<void> {
  const checks = await Promise.all(ports.map(isTaken))
  const taken = ports.filter((_, index) => checks[index])
  if (taken.length === 0) return
  const [noun, verb] = taken.length === 1 ? ['Port', 'is'] : ['Ports', 'are']
  throw new StartRefusal(
    `${noun} ${taken.join(', ')} of 127.0.0.1 ${verb} in use. Stop the program that uses them, or choose other ports:\n` +
      `  QUIPU_PORT_BASE=${otherBase(taken)} npx -y pnpm@12 start`,
  )
}

const otherBase = ([first = 4000]: readonly number[]): number =>
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
