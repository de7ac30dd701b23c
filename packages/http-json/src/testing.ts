import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as the server of a test received it. */
export type ReceivedRequest = { readonly method: string; readonly path: string; readonly body: string }

/** An HTTP server with one fixed answer that records its requests. */
export async function startHttpServer(
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<{ url: string; requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '' } = request
      requests.push({ method, path: url, body: Buffer.concat(chunks).toString() })
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })
  })
  return { url: await listening(server), requests }
}

/** A TCP server. `onData` gets the connection and everything received on it so far. */
export async function startTcpServer(
  onData: (socket: Socket, received: string) => void,
): Promise<{ url: string; connections: Socket[] }> {
  const connections: Socket[] = []
  const server = createTcpServer((socket) => {
    connections.push(socket)
    let received = ''
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      received += piece.toString()
      onData(socket, received)
    })
  })
  onTestFinished(() => connections.forEach((socket) => socket.destroy()))
  return { url: await listening(server), connections }
}

/** The URL of a port without a listener. */
export async function unusedUrl(): Promise<string> {
  const server = createServer()
  const url = await listening(server)
  server.close()
  await once(server, 'close')
  return url
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
