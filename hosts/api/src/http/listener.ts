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
  /** `http://127.0.0.1:4000`, with the port that was bound. */
  readonly url: string
  /**
   * Serves on, and closes each connection after its answer, so that clients connect elsewhere before the
   * port closes.
   */
  drain(): void
  /**
   * Takes no more requests and finishes running ones; after `ms` closes their connections.
   *
   * @returns whether every request was finished
   */
  stop(ms: number): Promise<boolean>
}

export type Address = { readonly host: string; readonly port: number }

/** Timeouts in milliseconds: for receiving the headers, a whole request, and between two reads of an answer. */
export type Timeouts = {
  readonly headers: number
  readonly request: number
  readonly unread: number
}

const defaultTimeouts: Timeouts = { headers: 10_000, request: 30_000, unread: 30_000 }

/** Starts an HTTP server over an app; port 0 picks a free one. */
export async function listen(
  app: RequestListener,
  { host, port }: Address,
  timeouts: Timeouts = defaultTimeouts,
): Promise<Listener> {
  // The current response per socket. A set of responses that every request enters and leaves would be
  // rehashed every few dozen requests, and its old tables survive minor garbage collections.
  const answering = new Map<Socket, ServerResponse | undefined>()
  let isDraining = false
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const { socket } = req
    if (isDraining) res.shouldKeepAlive = false
    answering.set(socket, res)
    res.on('close', () => {
      if (answering.get(socket) === res) answering.set(socket, undefined)
    })
    app(req, res)
  }
  const drain = (): void => {
    isDraining = true
    for (const res of answering.values()) if (res && !res.headersSent) res.shouldKeepAlive = false
  }
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.headers / 10, // Node's default is 30 s.
      keepAliveTimeout: 65_000,
      requireHostHeader: false, // The app refuses it instead, with a body.
    },
    answer,
  )
  server.on('connection', (socket) => socket.once('close', () => answering.delete(socket)))
  server.on('checkExpectation', answer) // The app may ignore `Expect`; Node's refusal has no body.
  server.on('clientError', refuse)
  server.timeout = timeouts.unread
  server.on('timeout', (socket: Socket) => closeIdle(socket, answering.get(socket) !== undefined))
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: urlOf(server, host),
    drain,
    async stop(ms) {
      drain()
      const limit = new AbortController()
      const timeout = setTimeout(() => limit.abort(), ms)
      const closed = once(server, 'close', { signal: limit.signal }).then(
        () => true,
        () => false,
      )
      server.close() // Also closes idle connections.
      const isFinished = await closed
      clearTimeout(timeout)
      if (!isFinished) server.closeAllConnections()
      return isFinished
    },
  }
}

/** Closes a connection without traffic, unless the app is working on an answer. */
function closeIdle(socket: Socket, isAnswering: boolean): void {
  // The client does not read its answer: a reset discards the unsent bytes.
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

/** Answers bytes that are no HTTP request with an error of the API's shape. */
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
