import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { referencePage } from '@quipu/reference'
import { publicOpenApi } from '@quipu/wire'

/** Another origin with the page, as an API is. */
export type Elsewhere = {
  readonly url: string
  /** The requests besides the page: path and key. */
  readonly asked: string[]
  stop(): void
}

/** The only QR that it reads. */
export const ownQr = 'a QR of this server'

/** @param exampleUrl  the example server that its page offers */
export async function serveElsewhere(exampleUrl: string): Promise<Elsewhere> {
  const asked: string[] = []
  const { html, headers } = await referencePage(JSON.stringify(publicOpenApi()), {
    documentPath: 'v1/openapi.json',
    servers: [
      { name: 'This server', url: '' },
      { name: 'Example server', url: exampleUrl, freeKeyPrefix: 'qpu_mock_' },
    ],
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '', headers: sent } = request
    if (url === '/docs') {
      response.writeHead(200, headers).end(html)
      return
    }
    asked.push(`${url} ${String(sent['x-api-key'])}`)
    const [status, json] = await sandboxAnswer(url, request)
    response.writeHead(status).end(JSON.stringify(json))
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => void server.close() }
}

/** Answers as a sandbox does: it reads only the QRs that it has issued. */
async function sandboxAnswer(path: string, request: IncomingMessage): Promise<[number, object]> {
  const text = Buffer.concat(await request.toArray()).toString()
  const { content } = (text === '' ? {} : JSON.parse(text)) as { content?: string }
  if (path === '/v1/sandbox/qr-codes') return [201, { content: ownQr }]
  if (path !== '/v1/payouts/qr/resolve') return [200, {}]
  return content === ownQr ? [201, {}] : [422, { error: { code: 'QR_REFUSED' } }]
}
