import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Seen = { readonly method: string; readonly path: string; readonly body: string }

/** An HTTP server that answers everything alike, and remembers what it was asked. */
export async function answering(
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '' } = request
      seen.push({ method, path: url, body: Buffer.concat(chunks).toString() })
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })
  })
  return { url: await listening(server), seen }
}

/** A TCP server; `talk` gets each connection with what has come on it so far, at each piece. */
export async function talking(
  talk: (socket: Socket, heard: string) => void,
): Promise<{ url: string; connections: Socket[] }> {
  const connections: Socket[] = []
  const server = createTcpServer((socket) => {
    connections.push(socket)
    let heard = ''
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      heard += piece.toString()
      talk(socket, heard)
    })
  })
  onTestFinished(() => connections.forEach((socket) => socket.destroy()))
  return { url: await listening(server), connections }
}

/** A port on which nobody listens. */
export async function nobody(): Promise<string> {
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
