import { performance } from 'node:perf_hooks'
import {
  type AttemptError,
  type AttemptResult,
  type DeadlineQueue,
  deadlineQueue,
  type QueuedDeadline,
} from '@quipu/core/adapter'
import { systemMonotonic, systemTimer } from '@quipu/core/system'
import type { Dispatcher } from 'undici'
import { attemptError } from './attempt-error.ts'
import { excerptOf } from './excerpt.ts'
import { metKeptConnection } from './kept-connection.ts'

export type Post = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Timeout of lookup, connection, headers and the excerpt of the body together. */
  readonly timeoutMs: number
  /**
   * Sends the request again, on a new connection, when the kept one breaks before the answer begins: the receiver
   * closed it while it was idle. Left out: the attempt fails.
   */
  readonly again?: Pick<Dispatcher, 'dispatch'>
}

/** Limits of size and time for reading a response's body. */
const [bodyBytes, bodyMs] = [2_048, 1_000]

/** 1xx responses before the final one. */
const maxInterim = 16

type Received = {
  readonly statusCode: number
  readonly latencyMs: number
  /** Only uncompressed bodies have an excerpt. */
  readonly isPlain: boolean
  readonly chunks: Uint8Array[]
  size: number
}

const system = { monotonic: systemMonotonic, timer: systemTimer }
const deadlinesByLength = new Map<number, DeadlineQueue>()

function deadlinesOf(ms: number): DeadlineQueue {
  const found = deadlinesByLength.get(ms)
  if (found !== undefined) return found
  const queue = deadlineQueue(system, ms)
  deadlinesByLength.set(ms, queue)
  return queue
}

const bodyDeadlines = deadlinesOf(bodyMs)

const aborted = new Error('the attempt has ended')

/**
 * Sends one POST; never rejects. The status decides once the headers have arrived, and the body is only
 * read for the excerpt. A connection whose response was read to its end is kept, others are closed.
 *
 * The deadline is measured here: undici's timeouts restart with each byte, and undici cannot abort a
 * request that waits for a connection.
 */
export function post(through: Pick<Dispatcher, 'dispatch'>, request: Post): Promise<AttemptResult> {
  const { url, headers, body, timeoutMs, again } = request
  const startedAt = performance.now()
  const elapsedMs = (): number => Math.round(performance.now() - startedAt)
  return new Promise((resolve) => {
    let exchange: Dispatcher.DispatchController | undefined
    let response: Received | undefined
    let interim = 0
    let isRepeated = false
    let isOver = false
    const end = (error: AttemptError): void => {
      if (isOver) return
      isOver = true
      deadlines.remove(deadline)
      if (bodyDeadline) bodyDeadlines.remove(bodyDeadline)
      resolve(response ? resultOf(response) : failed(error, elapsedMs()))
    }
    const cut = (error: AttemptError): void => {
      end(error)
      exchange?.abort(aborted)
    }
    const onDeadline = (): void => cut('TIMEOUT')
    const deadlines = deadlinesOf(timeoutMs)
    const deadline = deadlines.add(onDeadline)
    let bodyDeadline: QueuedDeadline | undefined
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // The deadline passed before a connection was free, so nothing may be sent. A throw keeps the
        // connection for the next request; an abort would close it.
        if (isOver) throw aborted
        exchange = controller
      },
      onResponseStart(_, statusCode, responseHeaders) {
        if (isOver) return
        if (statusCode < 200) {
          interim += 1
          if (interim > maxInterim) cut('PROTOCOL')
          return
        }
        const isPlain = /^(?:identity)?$/i.test(String(responseHeaders['content-encoding'] ?? ''))
        response = { statusCode, latencyMs: elapsedMs(), isPlain, chunks: [], size: 0 }
        bodyDeadline = bodyDeadlines.add(onDeadline)
      },
      onResponseData(_, chunk) {
        if (isOver || !response) return
        response.chunks.push(chunk)
        response.size += chunk.length
        if (response.size > bodyBytes) cut('PROTOCOL')
      },
      onResponseEnd: () => afterTurn(end),
      onResponseError(_, error) {
        const failure = attemptError(error, url.protocol === 'https:', exchange !== undefined)
        const isStale = failure === 'CONNECTION_RESET' && metKeptConnection(handler)
        if (isOver || isRepeated || again === undefined || !isStale) return end(failure)
        isRepeated = true
        exchange = undefined
        again.dispatch(dispatched, handler)
      },
    }
    const path = `${url.pathname}${url.search}`
    const dispatched = { origin: url.origin, path, method: 'POST', headers, body } as const
    through.dispatch(dispatched, handler)
  })
}

/** Attempts whose response has ended in this turn. */
let ended: ((error: AttemptError) => void)[] = []

/** Undici frees a connection in the next turn: a caller that sends again immediately can use it. */
function afterTurn(end: (error: AttemptError) => void): void {
  if (ended.push(end) > 1) return
  process.nextTick(setImmediate, () => {
    const ends = ended
    ended = []
    for (const each of ends) each('PROTOCOL')
  })
}

const failed = (error: AttemptError, latencyMs: number): AttemptResult => ({
  statusCode: null,
  latencyMs,
  error,
  excerpt: null,
})

const resultOf = ({ statusCode, latencyMs, isPlain, chunks }: Received): AttemptResult => ({
  statusCode,
  latencyMs,
  error: statusError(statusCode),
  excerpt: isPlain ? excerptOf(chunks) : null,
})

function statusError(statusCode: number): AttemptError | null {
  if (statusCode < 300) return null
  return statusCode < 400 ? 'REDIRECT' : 'STATUS'
}
