import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { errorToJson, type HttpErrorCode, httpErrors } from '@quipu/wire'

export type Listener = {
  /** `http://127.0.0.1:4000`, with the port that was really taken. */
  readonly url: string
  /**
   * Takes no more requests and finishes those in flight; what is not finished after `ms` is cut off.
   *
   * @returns whether everything was finished
   */
  stop(ms: number): Promise<boolean>
}

export type Address = { readonly host: string; readonly port: number }

/**
 * How long a client may take, in milliseconds: to send the headers, to send all of a request, and to
 * read anything of an answer.
 */
export type Patience = {
  readonly headers: number
  readonly request: number
  readonly unread: number
}

const usual: Patience = { headers: 10_000, request: 30_000, unread: 30_000 }

/** Starts an HTTP server over an app; port 0 picks a free one. */
export async function listen(
  app: RequestListener,
  { host, port }: Address,
  patience: Patience = usual,
): Promise<Listener> {
  // Of each connection what is answered there: a set of answers that every request joins and leaves
  // would be copied every few dozen of them, and what is in its copies is not collected young.
  const answering = new Map<Socket, ServerResponse | undefined>()
  let isStopping = false
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const { socket } = req
    if (isStopping) res.shouldKeepAlive = false
    answering.set(socket, res)
    res.on('close', () => {
      if (answering.get(socket) === res) answering.set(socket, undefined)
    })
    app(req, res)
  }
  const server = createServer(
    // A slow or idle sender holds nothing for longer.
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      connectionsCheckingInterval: patience.headers / 10, // By itself it looks every 30 s only.
      keepAliveTimeout: 65_000,
      requireHostHeader: false, // Node's own refusal has no body. The app's has.
    },
    answer,
  )
  server.on('connection', (socket) => socket.once('close', () => answering.delete(socket)))
  server.on('checkExpectation', answer) // It may be ignored, and Node's refusal has no body either.
  server.on('clientError', refuse)
  server.timeout = patience.unread
  server.on('timeout', (socket: Socket) => endSilent(socket, answering.get(socket) !== undefined))
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: urlOf(server, host),
    async stop(ms) {
      isStopping = true
      for (const res of answering.values()) if (res && !res.headersSent) res.shouldKeepAlive = false
      const limit = new AbortController()
      const timeout = setTimeout(() => limit.abort(), ms)
      const closed = once(server, 'close', { signal: limit.signal }).then(
        () => true,
        () => false,
      )
      server.close() // Also ends the connections that are idle.
      const isFinished = await closed
      clearTimeout(timeout)
      if (!isFinished) server.closeAllConnections()
      return isFinished
    },
  }
}

/** Ends a connection that nothing has moved on for long, unless the app is at work on an answer. */
function endSilent(socket: Socket, isAnswering: boolean): void {
  // Nothing more is sent to a client that does not read: its end of the connection is reset.
  if (socket.writableLength > 0) socket.resetAndDestroy()
  else if (!isAnswering) socket.destroy()
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

const codes: Readonly<Record<string, HttpErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}
const notHttp = [{ field: 'request', message: 'must be HTTP/1.1' }]

/** Answers what is not even a request in the same shape as everything else. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code = codes[error.code ?? ''] ?? 'VALIDATION_FAILED'
  const requestId = randomUUID()
  const issues = code === 'VALIDATION_FAILED' ? { issues: notHttp } : {}
  const body = JSON.stringify(errorToJson({ code, requestId, ...issues }))
  const { status } = httpErrors[code]
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
