import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@quipu/core'
import { z } from 'zod'

const Envelope = z.object({ id: z.string(), type: z.string(), data: z.object({}).loose() })

/** An event whose signature was verified. */
export type Received = z.output<typeof Envelope>

/** A tenant's webhook server: it keeps events with a valid signature and answers all others 400. */
export type Receiver = AsyncDisposable & {
  readonly url: string
  /** The signing secret that deliveries must use. */
  secret: string
  /** By event id, so that a repeated delivery counts once. */
  readonly events: ReadonlyMap<string, Received>
}

export async function openReceiver(): Promise<Receiver> {
  const events = new Map<string, Received>()
  const server = createServer((request, response) => {
    const signature = String(request.headers['x-service-signature'])
    void buffer(request).then((body) => {
      const isValid = receiver.secret !== '' && verifyWebhook([receiver.secret], signature, body, new Date()) === null
      if (isValid) {
        const event = Envelope.parse(JSON.parse(body.toString('utf8')))
        events.set(event.id, event)
      }
      response.writeHead(isValid ? 204 : 400).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/quipu`,
    secret: '',
    events,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return receiver
}
