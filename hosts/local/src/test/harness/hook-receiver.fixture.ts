import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Hook = { readonly signature: string; readonly body: Buffer }

/** A tenant's webhook server that accepts every request. */
export type HookReceiver = {
  readonly url: string
  /** Waits for this number of requests. @returns all so far */
  until(count: number): Promise<readonly Hook[]>
  stop(): Promise<void>
}

export async function openHookReceiver(): Promise<HookReceiver> {
  const hooks: Hook[] = []
  const server = createServer((req, res) => void take(req, res)).listen(0, '127.0.0.1')
  const take = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await buffer(req)
    hooks.push({ signature: String(req.headers['x-service-signature']), body })
    res.end()
    server.emit('hook')
  }
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async until(count) {
      while (hooks.length < count) await once(server, 'hook')
      return hooks
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
