import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { readonly headers: IncomingHttpHeaders; readonly body: Uint8Array }

/** A receiver of webhooks on this machine, which answers 200 unless it is told to hold. */
export type Receiver = {
  readonly url: string
  readonly received: Received[]
  /** The next answers wait for what this returns to be called. */
  hold(): () => void
  /** Resolves when so many requests have arrived. */
  until(count: number): Promise<void>
  stop(): Promise<void>
}

export async function receiver(): Promise<Receiver> {
  const received: Received[] = []
  let released: Promise<void> = Promise.resolve()
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => void chunks.push(chunk))
    req.on('end', () => {
      received.push({ headers: req.headers, body: Uint8Array.from(Buffer.concat(chunks)) })
      server.emit('received')
      void released.then(() => res.end('{"received":true}'))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      return resolve
    },
    until: async (count) => {
      while (received.length < count) await once(server, 'received')
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
