import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net'
import { z, ZodError } from 'zod'

/** Thrown by handlers: answers with a status and `{code, message, …}`. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly more: Readonly<Record<string, unknown>>
  constructor(status: number, code: string, message: string, more: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.more = more
  }
}

/** `drop` closes the connection without an answer; `text` is sent unchanged with the JSON type, `plain` as plain text. */
export type Answer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: number; readonly text: string }
  | { readonly status: number; readonly html: string }
  | { readonly status: number; readonly plain: string; readonly retryAfterSeconds?: number | undefined }
  | 'drop'

export type Call = {
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON body; undefined if empty. */
  readonly body: unknown
}

/** A segment of `path` that begins with `:` is a parameter. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  handle(call: Call): Promise<Answer> | Answer
}

/** Checks the headers of a request. @throws Refusal */
export type Access = (request: IncomingMessage) => void

export type JsonServer = {
  readonly url: string
  /** Closes all connections and refuses new ones. */
  pause(): Promise<void>
  /** Listens again on the same port. */
  resume(): Promise<void>
}

export type JsonServerOptions = {
  readonly host: string
  readonly port: number
  readonly routes: readonly Route[]
  readonly access: Access
  /** Answers a path without a route; a 404 or 405 with `{code, message}` by default. */
  readonly missing?: ((path: string) => Answer | undefined) | undefined
  /** Reads a body that is not empty; `JSON.parse` by default. @throws SyntaxError */
  readonly parse?: ((text: string) => unknown) | undefined
  /** Connections beyond this number wait until another one is closed. */
  readonly connectionsMax?: number | undefined
}

const bodyBytesMax = 64 * 1024

/** Starts a JSON server over `node:http`; port 0 picks a free one. */
export async function startJsonServer(options: JsonServerOptions): Promise<JsonServer> {
  const find = router(options.routes)
  const server = createServer((request, response) => {
    answerTo(request, find, options).then(
      (answer) => send(response, answer),
      () => response.destroy(),
    )
  })
  // Longer than clients keep idle connections, so that none is closed while it is reused.
  server.keepAliveTimeout = 120_000
  const { connectionsMax } = options
  const front = connectionsMax === undefined ? server : limitedTo(connectionsMax, server)
  let port = options.port
  const listen = async (): Promise<void> => {
    front.listen(port, options.host)
    await once(front, 'listening')
    port = (front.address() as AddressInfo).port
  }
  await listen()
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    async pause() {
      if (!front.listening) return
      const closed = once(front, 'close')
      front.close()
      server.closeAllConnections()
      await closed
    },
    async resume() {
      if (!front.listening) await listen()
    },
  }
}

/** Accepts connections for the server, and hands over at most `max` of them at a time. */
function limitedTo(max: number, server: Server): NetServer {
  const waiting: Socket[] = []
  let open = 0
  const handOver = (): void => {
    for (let next = waiting.shift(); next; next = open < max ? waiting.shift() : undefined) {
      open++
      next.once('close', () => {
        open--
        if (open < max) handOver()
      })
      server.emit('connection', next)
      next.resume()
    }
  }
  const front = createNetServer({ pauseOnConnect: true }, (socket) => {
    waiting.push(socket)
    if (open < max) handOver()
  })
  const close = front.close.bind(front)
  front.close = (done) => {
    for (const socket of waiting.splice(0)) socket.destroy()
    return close(done)
  }
  return front
}

type Found = { readonly route: Route; readonly path: Record<string, string> }
type Find = (method: string, path: string) => Found | 'not_found' | 'method_not_allowed'

function router(routes: readonly Route[]): Find {
  const split = routes.map((route) => ({ route, parts: route.path.split('/') }))
  return (method, path) => {
    const segments = path.split('/')
    let known = false
    for (const { route, parts } of split) {
      const values = match(parts, segments)
      if (!values) continue
      if (route.method === method) return { route, path: values }
      known = true
    }
    return known ? 'method_not_allowed' : 'not_found'
  }
}

function match(parts: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (parts.length !== segments.length) return null
  const values: Record<string, string> = {}
  for (const [i, part] of parts.entries()) {
    const value = segments[i] ?? ''
    if (part.startsWith(':')) values[part.slice(1)] = value
    else if (part !== value) return null
  }
  return values
}

async function answerTo(request: IncomingMessage, find: Find, options: JsonServerOptions): Promise<Answer> {
  const { access, missing, parse = JSON.parse } = options
  try {
    const body = await readBody(request)
    access(request)
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    const found = find(request.method ?? '', path)
    const instead = typeof found === 'string' ? missing?.(path) : undefined
    if (instead !== undefined) return instead
    if (found === 'not_found') throw new Refusal(404, 'NOT_FOUND', 'There is no such path.')
    if (found === 'method_not_allowed')
      throw new Refusal(405, 'METHOD_NOT_ALLOWED', 'The path does not take this method.')
    return await found.route.handle({
      path: found.path,
      query: new URLSearchParams(query),
      headers: request.headers,
      body: body === '' ? undefined : parseBody(body, parse),
    })
  } catch (error) {
    return failure(error)
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= bodyBytesMax) chunks.push(chunk)
  }
  if (size > bodyBytesMax) throw new Refusal(413, 'BODY_TOO_LARGE', 'The body is over 64 KiB.')
  return Buffer.concat(chunks).toString('utf8')
}

function parseBody(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch {
    throw new Refusal(400, 'BAD_REQUEST', 'The body is not JSON.')
  }
}

/** Maps an error to an answer. */
export function failure(error: unknown): Answer {
  if (error instanceof Refusal) {
    const { status, code, message, more } = error
    return { status, json: { code, message, ...more } }
  }
  if (error instanceof ZodError) return { status: 400, json: { code: 'BAD_REQUEST', message: z.prettifyError(error) } }
  const message = error instanceof Error ? error.message : 'Unexpected failure.'
  return { status: 500, json: { code: 'INTERNAL_ERROR', message } }
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer === 'drop') {
    response.destroy()
    return
  }
  const [type, text] = contentOf(answer)
  response.writeHead(answer.status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    ...('plain' in answer &&
      answer.retryAfterSeconds !== undefined && { 'retry-after': answer.retryAfterSeconds.toString() }),
  })
  response.end(text)
}

function contentOf(answer: Exclude<Answer, 'drop'>): [type: string, text: string] {
  if ('html' in answer) return ['text/html', answer.html]
  if ('plain' in answer) return ['text/plain', answer.plain]
  return ['application/json', 'text' in answer ? answer.text : JSON.stringify(answer.json)]
}
