import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { readonly headers: IncomingHttpHeaders; readonly body: Uint8Array }

/** A webhook receiver on this machine that answers 200. */
export type Receiver = {
  readonly url: string
  readonly received: Received[]
  /** Holds back further answers. @returns releases them */
  hold(): () => void
  /** Resolves when `count` requests have arrived. */
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
