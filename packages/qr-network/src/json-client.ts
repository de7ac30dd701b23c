import { type Dispatcher, Pool } from 'undici'

/** What became of one request. `body` is undefined when it is not JSON. */
export type Reply =
  | { readonly type: 'answered'; readonly status: number; readonly body: unknown }
  /** Not one byte of the request was ever handed to a connection, and none will be. */
  | { readonly type: 'not_sent'; readonly reason: string }
  /** It may have arrived, in part or whole; no whole answer came back. */
  | { readonly type: 'lost'; readonly reason: string }

export type Ask = {
  readonly method: 'GET' | 'PUT' | 'POST'
  /** Begins with a slash; the prefix of the client's URL goes before it. */
  readonly path: string
  readonly body?: unknown
  /** For everything: waiting for a connection, making one, sending, and the whole answer. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export type ClientOptions = {
  /** `http` or `https`; a path in it is a prefix. */
  readonly url: string
  /** Sent as `Authorization: Bearer …`. */
  readonly token: string
  /** Further requests wait; 256 by default. */
  readonly connectionsMax?: number
  /** 5 s by default. */
  readonly connectTimeoutMs?: number
  /** An answer over this is lost; 1 MiB by default. */
  readonly answerBytesMax?: number
}

/** Asks a JSON API. Sends a request at most once, follows no redirect, never throws. */
export type JsonClient = {
  ask(ask: Ask): Promise<Reply>
  /** Takes no more requests and resolves when those under way have ended. */
  stop(): Promise<void>
}

export function jsonClient({ url, token, ...options }: ClientOptions): JsonClient {
  const { origin, pathname } = new URL(url)
  const prefix = pathname.replace(/\/+$/, '')
  const answerBytesMax = options.answerBytesMax ?? 1024 * 1024
  // One request at a time on a connection, and no HTTP/2: undici would otherwise send a request
  // again whose connection broke behind another one's answer.
  const pool = new Pool(origin, {
    connections: options.connectionsMax ?? 256,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: options.connectTimeoutMs ?? 5_000 },
    headersTimeout: 0, // The ask has one deadline of its own.
    bodyTimeout: 0,
  })
  let stopped: Promise<void> | undefined
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  return {
    ask({ method, path, body, timeoutMs, signal }) {
      const payload = body === undefined ? null : JSON.stringify(body)
      const request = {
        method,
        path: prefix + path,
        headers: payload === null ? headers : { ...headers, 'content-type': 'application/json' },
        body: payload,
      }
      return exchange(pool, request, { timeoutMs, signal, answerBytesMax })
    },
    stop: () => (stopped ??= pool.close()),
  }
}

type Bounds = {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly answerBytesMax: number
}

/**
 * One request, by undici's lowest door: it alone tells when a request is handed to a connection,
 * and so whether one that failed can have arrived.
 */
function exchange(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, signal, answerBytesMax }: Bounds,
): Promise<Reply> {
  return new Promise((resolve) => {
    let sending: Dispatcher.DispatchController | undefined
    let over = false
    let status = 0
    let size = 0
    const chunks: Buffer[] = []

    const finish = (reply: Reply): void => {
      if (over) return
      over = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(reply)
    }
    const giveUp = (reason: string): void => {
      finish({ type: sending ? 'lost' : 'not_sent', reason })
      sending?.abort(new Error(reason))
    }
    const onAbort = (): void => giveUp('called off')
    const timer = setTimeout(() => giveUp(`no answer within ${timeoutMs} ms`), timeoutMs)
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort)

    pool.dispatch(request, {
      onRequestStart(controller) {
        // Too late, or a second time: what is aborted here is not written.
        if (over || sending) return controller.abort(new Error('not to be sent'))
        sending = controller
      },
      onResponseStart(_controller, statusCode) {
        status = statusCode
      },
      onResponseData(_controller, chunk) {
        size += chunk.length
        if (size > answerBytesMax) giveUp(`answer over ${answerBytesMax} bytes`)
        else chunks.push(chunk)
      },
      onResponseEnd: () => finish({ type: 'answered', status, body: jsonOf(chunks) }),
      onResponseError: (_controller, error) => giveUp(causeOf(error)),
    })
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function jsonOf(chunks: readonly Buffer[]): unknown {
  try {
    return JSON.parse(utf8.decode(Buffer.concat(chunks)))
  } catch {
    return undefined
  }
}

/** `ECONNREFUSED`, `UND_ERR_SOCKET`: the code alone, since messages carry addresses. */
const causeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name
