import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP server of a test. */
export type Listener = AsyncDisposable & { readonly url: string; stop(): Promise<void> }

/** Listens on a free port of this machine. */
export async function listener(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Listener> {
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop, [Symbol.asyncDispose]: stop }
}

/** A source of the rate that can be wrong, or not answer. */
export async function rateServer(bid = '9.9500'): Promise<Listener & { bid: string }> {
  const source = { bid }
  const server = await listener((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ bid: source.bid, time: Math.floor(Date.now() / 1000) }))
  })
  return Object.assign(source, server)
}
