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

export type Listener = {
  /** `http://127.0.0.1:4000`, with the port that was bound. */
  readonly url: string
  /**
   * Serves on, and closes each connection after its answer, so that clients connect elsewhere before the port closes.
   */
  drain(): void
  /**
   * Takes no more requests and finishes running ones; after `ms` closes their connections. Cuts requests that have not
   * arrived: those without all of their headers at once, those without all of their body after a moment.
   *
   * @returns whether every request was finished
   */
  stop(ms: number): Promise<boolean>
}

export type Address = { readonly host: string; readonly port: number }

/**
 * Timeouts in milliseconds: for receiving the headers, a whole request, between two reads of an answer, and for the rest
 * of a body after a stop.
 */
export type Timeouts = {
  readonly headers: number
  readonly request: number
  readonly unread: number
  readonly lastBody: number
}

const defaultTimeouts: Timeouts = { headers: 10_000, request: 30_000, unread: 30_000, lastBody: 1_000 }

export type ListenerOptions = {
  /** Left out: an answer without a body. */
  readonly answerRefused?: AnswerRefused
  readonly timeouts?: Timeouts
}

/** Starts an HTTP server over an app; port 0 picks a free one. */
export async function listen(
  app: RequestListener,
  { host, port }: Address,
  { answerRefused = bare, timeouts = defaultTimeouts }: ListenerOptions = {},
): Promise<Listener> {
  // The current response per open socket. A set of responses that every request enters and leaves would be
  // rehashed every few dozen requests, and its old tables survive minor garbage collections.
  const answering = new Map<Socket, ServerResponse | undefined>()
  let isDraining = false
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const { socket } = req
    res.setHeader('X-Content-Type-Options', 'nosniff')
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
  server.on('connection', (socket) => {
    answering.set(socket, undefined)
    socket.once('close', () => answering.delete(socket))
  })
  /** Node enforces no time-out of a request after `close`. */
  const cut = (isCut: (res: ServerResponse | undefined) => boolean): void => {
    for (const [socket, res] of answering) if (isCut(res)) socket.destroy()
  }
  server.on('checkExpectation', answer) // The app may ignore `Expect`; Node's refusal has no body.
  server.on('clientError', refuseWith(answerRefused))
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
      server.close()
      cut((res) => res === undefined)
      const lastBodies = setTimeout(cut, timeouts.lastBody, isUnread)
      const isFinished = await closed
      clearTimeout(timeout)
      clearTimeout(lastBodies)
      if (!isFinished) server.closeAllConnections()
      return isFinished
    },
  }
}

/** Whether bytes of the request are still missing, so that the app cannot have acted on it. */
const isUnread = (res: ServerResponse | undefined): boolean => res?.req.complete === false

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

/** Why bytes were refused before the app saw a request. */
export type RefusedBytes = 'headers_too_large' | 'not_http' | 'too_slow'

/** @returns the whole answer, from the status line on */
export type AnswerRefused = (why: RefusedBytes) => string

const bare: AnswerRefused = (why) => {
  const status = { headers_too_large: 431, not_http: 400, too_slow: 408 }[why]
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Content-Length: 0',
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n`
}

const reasons: Readonly<Record<string, RefusedBytes>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** Answers bytes that are no HTTP request. */
const refuseWith =
  (answer: AnswerRefused) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else socket.end(answer(reasons[error.code ?? ''] ?? 'not_http'))
  }
