import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// Receivers of webhooks on several ports, each of which is an origin. Records when each event first arrived at each
// path, completely.

/** The reply to any message. */
export type Arrivals = {
  readonly ports: readonly number[]
  /** `<path> <event id>` and the instant in ms since the epoch. */
  readonly arrivals: readonly (readonly [string, number])[]
  /** How many arrivals there are. */
  readonly count: number
}

const [, , portCount = '1'] = process.argv
const arrivals = new Map<string, number>()

const servers = await Promise.all(
  Array.from({ length: Number(portCount) }, async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        const name = `${request.url} ${String(request.headers['x-service-event-id'])}`
        if (!arrivals.has(name)) arrivals.set(name, performance.timeOrigin + performance.now())
        response.writeHead(204).end()
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
  // `count` is requested during measurements, so it must be cheap.
  const listed = message === 'count' ? [] : Array.from(arrivals)
  if (message === 'clear') arrivals.clear()
  process.send?.({ ports, arrivals: listed, count: arrivals.size } satisfies Arrivals)
})
process.once('SIGTERM', () => process.exit())
process.send?.({ ports, arrivals: [], count: 0 } satisfies Arrivals)
