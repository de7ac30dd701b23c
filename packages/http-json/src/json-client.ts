import { type HttpRequestEnd, inHttpSpan } from '@quipu/tracing'
import { Client, type Dispatcher, Pool } from 'undici'

/** Result of a request. `body` is undefined if it is not JSON. */
export type Reply =
  | { readonly type: 'answered'; readonly status: number; readonly body: unknown }
  /** No byte of the request was written to a connection. */
  | { readonly type: 'not_sent'; readonly reason: string }
  /** The request may have arrived; no complete answer did. */
  | { readonly type: 'lost'; readonly reason: string }

/** A request, its body and its deadline in milliseconds. */
export type JsonRequest = {
  readonly method: 'GET' | 'PUT' | 'POST'
  /** Begins with a slash; appended to the path of the client's URL. */
  readonly path: string
  /** The path in traces, with placeholders for ids. */
  readonly template?: string
  /** The payout that the request is about, for traces. */
  readonly payoutId?: string
  /** Besides those of the client. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A larger answer counts as lost; `answerBytesMax` of the client by default. */
  readonly answerBytesMax?: number
  /** Deadline from the call to the last byte of the answer. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** It changes nothing. One whose connection breaks is sent once more, on a new connection. */
  readonly isRead?: true
}

/** The URL, the headers and the parser of a client. */
export type JsonClientOptions = {
  /** An `http` or `https` URL, possibly with a path. */
  readonly url: string
  /** The package whose spans the requests are. */
  readonly scope: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Reads the text of an answer, and throws for one that is no JSON; `JSON.parse` by default. */
  readonly parse?: (text: string) => unknown
  /** Maximum of connections; further requests wait. 1,024 by default. */
  readonly connectionsMax?: number
  /** 5 s by default. */
  readonly connectTimeoutMs?: number
  /** A larger answer counts as lost; 1 MiB by default. */
  readonly answerBytesMax?: number
}

/**
 * A client of a JSON API. It sends a request that changes something at most once, follows no redirect and never throws.
 */
export type JsonClient = {
  send(request: JsonRequest): Promise<Reply>
  /** Refuses new requests. Resolves when the running ones have ended. */
  stop(): Promise<void>
}

/**
 * Sends JSON over HTTP, each request once.
 *
 * @throws TypeError on an invalid URL
 */
export function jsonClient({ url, scope, parse = JSON.parse, ...options }: JsonClientOptions): JsonClient {
  const { origin, pathname } = new URL(url)
  const prefix = pathname.replace(/\/+$/, '')
  const ownBytesMax = options.answerBytesMax ?? 1024 * 1024
  // Without pipelining and HTTP/2, because undici repeats a pipelined request whose connection
  // fails after the answer of an earlier one.
  const connection: Client.Options = {
    pipelining: 1,
    allowH2: false,
    connect: { timeout: options.connectTimeoutMs ?? 5_000 },
    headersTimeout: 0, // `timeoutMs` bounds the whole request.
    bodyTimeout: 0,
  }
  const pool = new Pool(origin, { ...connection, connections: options.connectionsMax ?? 1_024 })
  let stopped: Promise<void> | undefined
  const ownHeaders = { accept: 'application/json', ...options.headers }
  const facts = { scope, url: new URL(origin) }
  return {
    send({
      method,
      path,
      template,
      payoutId,
      body,
      timeoutMs,
      signal,
      isRead,
      answerBytesMax = ownBytesMax,
      ...asked
    }) {
      const startedAt = performance.now()
      const payload = body === undefined ? null : JSON.stringify(body)
      const type = payload === null ? {} : { 'content-type': 'application/json' }
      const headers = { ...ownHeaders, ...type, ...asked.headers }
      const request = { method, path: prefix + path, body: payload }
      const attributes = payoutId === undefined ? {} : { 'quipu.payout.id': payoutId }
      return inHttpSpan(
        { ...facts, method, template, attributes },
        async (traceHeaders) => {
          const sent = { ...request, headers: { ...headers, ...traceHeaders } }
          const limits = { signal, answerBytesMax, parse }
          const reply = await exchange(pool, sent, { ...limits, timeoutMs })
          const leftMs = timeoutMs - (performance.now() - startedAt)
          if (!isRead || !hasBroken(reply) || leftMs <= 0) return reply
          const client = new Client(origin, connection)
          const repeated = exchange(client, sent, { ...limits, timeoutMs: leftMs })
          void client.close() // Once it is answered.
          return repeated
        },
        endOf,
      )
    },
    stop: () => (stopped ??= pool.close()),
  }
}

/**
 * Whether the connection ended before the answer did. Servers close idle connections without a word, and a request
 * that is written meanwhile meets the reset.
 */
const hasBroken = (reply: Reply): boolean =>
  reply.type === 'lost' && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(reply.reason)

const endOf = (reply: Reply): HttpRequestEnd =>
  reply.type === 'answered' ? { status: reply.status } : { error: reply.type }

type Limits = {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly answerBytesMax: number
  readonly parse: (text: string) => unknown
}

/**
 * Uses undici's `dispatch`, which reports when a request is written to a connection, and so whether
 * a failed request can have arrived.
 */
function exchange(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, signal, answerBytesMax, parse }: Limits,
): Promise<Reply> {
  return new Promise((resolve) => {
    let written: Dispatcher.DispatchController | undefined
    let settled = false
    let status = 0
    let size = 0
    const chunks: Buffer[] = []

    const settle = (reply: Reply): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(reply)
    }
    const fail = (reason: string): void => {
      settle({ type: written ? 'lost' : 'not_sent', reason })
      written?.abort(new Error(reason))
    }
    const onAbort = (): void => fail('cancelled by the caller')
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs)
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort)

    pool.dispatch(request, {
      onRequestStart(controller) {
        // Aborting here prevents the write, after the deadline or on a retry by undici.
        if (settled || written) return controller.abort(new Error('must not be sent'))
        written = controller
      },
      onResponseStart(_controller, statusCode) {
        status = statusCode
      },
      onResponseData(_controller, chunk) {
        size += chunk.length
        if (size > answerBytesMax) fail(`answer over ${answerBytesMax} bytes`)
        else chunks.push(chunk)
      },
      onResponseEnd: () => settle({ type: 'answered', status, body: jsonOf(chunks, parse) }),
      onResponseError: (_controller, error) => fail(causeOf(error)),
    })
  })
}

/** A byte that is not UTF-8 becomes U+FFFD: each member then decides whether it can be read. */
const utf8 = new TextDecoder()

function jsonOf(chunks: readonly Buffer[], parse: (text: string) => unknown): unknown {
  try {
    return parse(utf8.decode(Buffer.concat(chunks)))
  } catch {
    return undefined
  }
}

/** Only the code, such as `ECONNREFUSED`, because messages contain addresses. */
const causeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : error.name)
