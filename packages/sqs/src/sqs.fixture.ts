import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { idSource } from '@quipu/core'
import type { DeliveryRef } from '@quipu/core/adapter'
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { SqsConnection } from './client/connection.ts'

const ids = idSource((size) => crypto.getRandomValues(new Uint8Array(size)))

export const delivery = (): DeliveryRef & { readonly group: string } => ({
  endpointId: ids.next('we', new Date()),
  eventId: ids.uuid(new Date()),
  group: 'ten_1',
})

export const deliveries = (count: number): readonly ReturnType<typeof delivery>[] =>
  Array.from({ length: count }, delivery)

export const refOf = ({ endpointId, eventId }: DeliveryRef): DeliveryRef => ({ endpointId, eventId })

export const newName = (): string => `wake-${crypto.randomUUID()}`

export const connectionTo = (endpoint: string): SqsConnection => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
})

/** An SQS server that runs during the tests of a file. */
export function useFauxqs(): () => { server: FauxqsServer; connection: SqsConnection } {
  let server: FauxqsServer | undefined
  beforeAll(async () => {
    server = await startFauxqs({ port: 0, logger: false })
  })
  afterAll(async () => server?.stop())
  return () => {
    if (!server) throw new Error('the server runs inside tests only')
    return { server, connection: connectionTo(server.address) }
  }
}

export type BatchRequest = { readonly Entries: readonly { readonly Id: string; readonly [name: string]: unknown }[] }

/** A response, a 403 that is not SQS's, a cut connection, or no response. */
export type Scripted = object | 'forbidden' | 'cut' | 'silence'

/** A server with scripted responses, until the test ends. @returns a connection to it */
export async function startScripted(
  answer: (action: string, request: BatchRequest) => Scripted,
): Promise<SqsConnection> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const action = String(request.headers['x-amz-target']).replace('AmazonSQS.', '')
      const scripted = answer(action, JSON.parse(body) as BatchRequest)
      if (scripted === 'cut') response.destroy()
      else if (scripted === 'forbidden') response.writeHead(403).end('Forbidden')
      else if (scripted !== 'silence') response.end(JSON.stringify(scripted))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return connectionTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
