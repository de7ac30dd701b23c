import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// Receivers of webhooks, on as many ports as it is told, so that they are as many origins. A path
// says how they behave. It notes when it first had each event of each path, whole.

/** What it answers to any message. */
export type Arrivals = {
  readonly ports: readonly number[]
  /** `<path> <event id>` and the instant in ms. */
  readonly arrivals: readonly (readonly [string, number])[]
  /** How many there are. */
  readonly count: number
}

const [, , portCount = '1'] = process.argv
const arrivals = new Map<string, number>()

function behave(kind: string, response: ServerResponse): void {
  if (kind === 'hang') return
  if (kind === 'slow') setTimeout(() => response.writeHead(204).end(), 5_000)
  else if (kind === 'drip' || kind === 'endless') pour(response, kind === 'drip' ? 500 : 1)
  else response.writeHead(kind === 'broken' ? 500 : 204).end()
}

function pour(response: ServerResponse, everyMs: number): void {
  response.writeHead(200)
  const timer = setInterval(() => response.write('x'.repeat(512)), everyMs)
  response.on('close', () => clearInterval(timer))
}

const servers = await Promise.all(
  Array.from({ length: Number(portCount) }, async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        const path = request.url ?? ''
        const name = `${path} ${String(request.headers['x-service-event-id'])}`
        const [, kind = ''] = path.split('/')
        if (!arrivals.has(name)) arrivals.set(name, performance.timeOrigin + performance.now())
        behave(kind, response)
      })
    })
    server.keepAliveTimeout = 60_000
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }),
)
const ports = servers.map((server) => (server.address() as AddressInfo).port)

process.on('message', (message) => {
  // A count is asked for while it is measured: it must cost nothing.
  const told = message === 'count' ? [] : Array.from(arrivals)
  if (message === 'clear') arrivals.clear()
  process.send?.({ ports, arrivals: told, count: arrivals.size } satisfies Arrivals)
})
process.once('SIGTERM', () => process.exit())
process.send?.({ ports, arrivals: [], count: 0 } satisfies Arrivals)
