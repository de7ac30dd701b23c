import { performance } from 'node:perf_hooks'
import type { AttemptError, AttemptResult } from '@quipu/core'
import type { Dispatcher } from 'undici'
import { attemptError } from './attempt-error.ts'
import { deadlines } from './deadlines.ts'
import { excerptOf } from './excerpt.ts'

export type Post = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** For everything: lookup, connection, headers and what is read of the body. */
  readonly timeoutMs: number
}

/** So much of an answer's body is read, or for so long. @source assumed */
const [bodyBytes, bodyMs] = [2_048, 1_000]

/** So many 1xx answers may come before the answer. @source assumed */
const maxInterim = 16

type Answer = {
  readonly statusCode: number
  readonly latencyMs: number
  /** Only plain bodies are shown; a compressed one is never unpacked. */
  readonly isPlain: boolean
  readonly chunks: Uint8Array[]
  size: number
}

const unwanted = new Error('nobody waits for this answer any more')

/**
 * One POST and what came of it, never rejected. The status decides once the headers are here; the body
 * only serves the excerpt. A connection whose answer is read to its end can be used again, any other is
 * closed. Undici's own timeouts are not enough, since each byte starts them anew, and a request that
 * still waits for a connection does not hear of being aborted: so the time is kept here.
 */
export function post(through: Dispatcher, request: Post): Promise<AttemptResult> {
  const { url, headers, body, timeoutMs } = request
  const startedAt = performance.now()
  const elapsedMs = (): number => Math.round(performance.now() - startedAt)
  return new Promise((resolve) => {
    let exchange: Dispatcher.DispatchController | undefined
    let answer: Answer | undefined
    let interim = 0
    let isOver = false
    const end = (error: AttemptError): void => {
      if (isOver) return
      isOver = true
      deadlines.delete(timeoutMs, late)
      if (answer) deadlines.delete(bodyMs, late)
      resolve(answer ? answered(answer) : unanswered(error, elapsedMs()))
    }
    const cut = (error: AttemptError): void => {
      end(error)
      exchange?.abort(unwanted)
    }
    const late = (): void => cut('TIMEOUT')
    deadlines.add(timeoutMs, late)
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // The time went by while it waited for a connection: nothing must be sent any more. To throw
        // leaves the connection to the next request, to abort would close it.
        if (isOver) throw unwanted
        exchange = controller
      },
      onResponseStart(_, statusCode, answerHeaders) {
        if (isOver) return
        if (statusCode < 200) {
          interim += 1
          if (interim > maxInterim) cut('PROTOCOL')
          return
        }
        const isPlain = /^(?:identity)?$/i.test(String(answerHeaders['content-encoding'] ?? ''))
        answer = { statusCode, latencyMs: elapsedMs(), isPlain, chunks: [], size: 0 }
        deadlines.add(bodyMs, late)
      },
      onResponseData(_, chunk) {
        if (isOver || !answer) return
        answer.chunks.push(chunk)
        answer.size += chunk.length
        if (answer.size > bodyBytes) cut('PROTOCOL')
      },
      onResponseEnd: () => afterTurn(end),
      onResponseError: (_, error) =>
        end(attemptError(error, url.protocol === 'https:', exchange !== undefined)),
    }
    const path = `${url.pathname}${url.search}`
    through.dispatch({ origin: url.origin, path, method: 'POST', headers, body }, handler)
  })
}

/** Those whose answer has ended in this turn. */
let ended: ((error: AttemptError) => void)[] = []

/** Undici frees a connection in the next turn. Whoever sends again at once is to find it free. */
function afterTurn(end: (error: AttemptError) => void): void {
  if (ended.push(end) > 1) return
  process.nextTick(setImmediate, () => {
    const ends = ended
    ended = []
    for (const each of ends) each('PROTOCOL')
  })
}

const unanswered = (error: AttemptError, latencyMs: number): AttemptResult => ({
  statusCode: null,
  latencyMs,
  error,
  excerpt: null,
})

const answered = ({ statusCode, latencyMs, isPlain, chunks }: Answer): AttemptResult => ({
  statusCode,
  latencyMs,
  error: judgeStatus(statusCode),
  excerpt: isPlain ? excerptOf(chunks) : null,
})

function judgeStatus(statusCode: number): AttemptError | null {
  if (statusCode < 300) return null
  return statusCode < 400 ? 'REDIRECT' : 'STATUS'
}
