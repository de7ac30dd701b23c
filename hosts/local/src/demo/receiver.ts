import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@quipu/core'
import { z } from 'zod'

const Envelope = z.object({ id: z.string(), type: z.string(), data: z.object({}).loose() })

/** A delivery that the receiver believed. */
export type Received = z.output<typeof Envelope>

/** A tenant's own server, which keeps what was signed with its secret and answers all else with 400. */
export type Receiver = AsyncDisposable & {
  readonly url: string
  /** What every delivery must be signed with. */
  secret: string
  /** By event: a repeated delivery is the same event. */
  readonly events: ReadonlyMap<string, Received>
}

export async function openReceiver(): Promise<Receiver> {
  const events = new Map<string, Received>()
  const server = createServer((request, response) => {
    const signature = String(request.headers['x-service-signature'])
    void buffer(request).then((body) => {
      const isOurs = verifyWebhook([receiver.secret], signature, body, new Date()) === null
      if (isOurs) {
        const event = Envelope.parse(JSON.parse(body.toString('utf8')))
        events.set(event.id, event)
      }
      response.writeHead(isOurs ? 204 : 400).end()
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
