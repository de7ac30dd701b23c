import { type Timer, Unavailable } from '@quipu/core'
import { type ChainView, withTimeout } from '@quipu/core/adapter'
import { type HttpRequestEnd, inHttpSpan } from '@quipu/tracing'
import { Pool } from 'undici'
import { z } from 'zod'
import { exchange, type Reply } from './exchange.ts'
import { createRateLimiter } from './rate-limiter.ts'

/** The URL of a full node, its key and the durations of requests. */
export type TronNodeOptions = {
  /** URL of the full node without `/wallet`, such as `https://api.shasta.trongrid.io`. */
  readonly url: string
  /** URL of the solidity node, if it is another one. */
  readonly solidUrl?: string
  /** Sent as `TRON-PRO-API-KEY`. */
  readonly apiKey?: string
  /** The provider's rate limit for both nodes together; 10 by default. */
  readonly requestsPerSecond?: number
  /**
   * Deadline of a request's first attempt. For blocks and receipts, whose size others decide, it doubles
   * after each attempt that reaches it, up to four times.
   */
  readonly timeoutMs?: number
  /** A larger answer is refused. The receipt of one transaction can have 40 MB. */
  readonly answerBytesMax?: number
  /** Maximum number of attempts; 4 by default. */
  readonly attempts?: number
  readonly timer: Timer
}

/** A provider's full node and solidity node, with one rate limit for both. */
export type TronNode = {
  /**
   * Sends a request, and retries it with a backoff after rate limits and connection failures. So it
   * must be safe to repeat.
   *
   * @param endpoint  such as `getblockbynum`
   * @param body  an object, or the bytes of its JSON
   * @throws Unavailable without an answer, or for an invalid one
   */
  request<T>(view: ChainView, endpoint: string, body: object, shape: z.ZodType<T>): Promise<T>
  /**
   * Like `request`, for answers that can be read in parts instead: one that is larger than `bytesMax`, or late, is
   * undefined at once. A node goes on with a request that was given up, so that retries would pile up there.
   */
  requestOnce<T>(
    view: ChainView,
    endpoint: string,
    body: object,
    shape: z.ZodType<T>,
    bytesMax: number,
  ): Promise<T | undefined>
  /** Waits before a retry: longer each time, with jitter. */
  backOff(attempt: number): Promise<void>
  /** Aborts running requests, which throw `Unavailable`. */
  stop(): Promise<void>
}

/**
 * The view whose endpoints the URL does not serve, if the error says so: java-tron has those of each view on a port
 * of their own.
 */
export function unservedView(error: unknown): ChainView | undefined {
  const { cause } = error instanceof Unavailable ? error : { cause: undefined }
  return cause === 'head' || cause === 'solid' ? cause : undefined
}

const prefixes = { head: 'wallet', solid: 'walletsolidity' } as const

/** Endpoints whose answers can be large. A late answer of another one is that of a node that hangs. */
const largeAnswers: ReadonlySet<string> = new Set(['getblockbynum', 'gettransactioninfobyid'])

const defaults = { timeoutMs: 5_000, answerBytesMax: 64 * 1024 * 1024, attempts: 4 }

/** Create one per provider and key, because it keeps the rate limit. */
export function tronNode(options: TronNodeOptions): TronNode {
  const { attempts, timeoutMs, answerBytesMax } = { ...defaults, ...options }
  const limiter = createRateLimiter(options.requestsPerSecond ?? 10, () => performance.now())
  const stopping = new AbortController()
  const wait = waitWith(options.timer, stopping.signal)
  const { send, close } = senderOf(options)
  const ask = async (
    { view, endpoint, body }: Request,
    bytesMax: number,
    isRetriedWhenLate: boolean,
  ): Promise<Reply> => {
    const sent = body instanceof Uint8Array ? body : JSON.stringify(body)
    let deadlineMs = timeoutMs
    for (let attempt = 1; ; attempt++) {
      await wait(limiter.reserve())
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(deadlineMs)])
      const reply = await send(view, { path: pathOf(view, endpoint), body: sent, signal }, bytesMax)
      const isFinal = finalReplies.has(reply.type) || (reply.type === 'late' && !isRetriedWhenLate)
      if (isFinal || attempt >= attempts) return reply
      if (reply.type === 'rate_limited') limiter.backOff(backOffMs(attempt))
      else await wait(backOffMs(attempt))
      if (reply.type === 'late' && largeAnswers.has(endpoint)) deadlineMs = Math.min(deadlineMs * 2, timeoutMs * 4)
    }
  }
  return {
    async request(view, endpoint, body, shape) {
      const reply = await ask({ view, endpoint, body }, answerBytesMax, true)
      return answerOf(view, endpoint, reply, shape)
    },
    async requestOnce(view, endpoint, body, shape, bytesMax) {
      const most = Math.min(bytesMax, answerBytesMax)
      const reply = await ask({ view, endpoint, body }, most, false)
      if (reply.type === 'late' || reply.type === 'too_large') return undefined
      return answerOf(view, endpoint, reply, shape)
    },
    backOff: (attempt) => wait(backOffMs(attempt)),
    async stop() {
      stopping.abort()
      await close()
    },
  }
}

type Request = { readonly view: ChainView; readonly endpoint: string; readonly body: object }

const pathOf = (view: ChainView, endpoint: string): string => `${prefixes[view]}/${endpoint}`

const finalReplies: ReadonlySet<Reply['type']> = new Set(['answered', 'refused', 'too_large'])

type Sent = { readonly path: string; readonly body: string | Uint8Array; readonly signal: AbortSignal }

/** Sends single requests to the node of each view. */
function senderOf({ url, solidUrl = url, apiKey }: TronNodeOptions): {
  send(view: ChainView, sent: Sent, bytesMax: number): Promise<Reply>
  close(): Promise<unknown>
} {
  const targets = { head: targetOf(url), solid: targetOf(solidUrl) }
  const headers = { 'content-type': 'application/json', ...(apiKey !== undefined && { 'TRON-PRO-API-KEY': apiKey }) }
  return {
    send(view, { path, ...sent }, bytesMax) {
      const { pool, prefix, url } = targets[view]
      const request = { method: 'POST', path: `${prefix}/${path}`, ...sent } as const
      return inHttpSpan(
        { scope: '@quipu/tron', method: 'POST', url, template: `/${path}` },
        (traceHeaders) => exchange(pool, { ...request, headers: { ...headers, ...traceHeaders } }, bytesMax),
        endOf,
      )
    },
    close: () => Promise.all([targets.head.pool.destroy(), targets.solid.pool.destroy()]),
  }
}

/** A node answers with status 200 also when it refuses. */
const endOf = (reply: Reply): HttpRequestEnd => (reply.type === 'answered' ? { status: 200 } : { error: reply.type })

type Target = { readonly pool: Pool; readonly prefix: string; readonly url: URL }

/** The request's signal is its only deadline. */
function targetOf(url: string): Target {
  const parsedUrl = new URL(url)
  const { origin, pathname } = parsedUrl
  return {
    pool: new Pool(origin, { connections: 32, headersTimeout: 0, bodyTimeout: 0 }),
    prefix: pathname.replace(/\/+$/, ''),
    url: parsedUrl,
  }
}

function waitWith(timer: Timer, stopping: AbortSignal): (ms: number) => Promise<void> {
  return async (ms) => {
    const stopError = (): Unavailable => new Unavailable('chain', 'stopped')
    if (stopping.aborted) throw stopError()
    if (ms <= 0) return
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    const onAbort = (): void => reject(stopError())
    stopping.addEventListener('abort', onAbort)
    try {
      await withTimeout(timer, ms, stopped)
    } finally {
      stopping.removeEventListener('abort', onAbort)
    }
  }
}

/** 250 ms doubled per attempt up to 4 s, with a jitter of up to a half. */
const backOffMs = (attempt: number): number => Math.min(250 * 2 ** (attempt - 1), 4_000) * (0.5 + Math.random() / 2)

/** Statuses of a java-tron port without this prefix, and of gateways. */
const missingStatuses: ReadonlySet<number | undefined> = new Set([404, 405])

const unserved = (view: ChainView): string => `this URL serves no ${prefixes[view]}/ endpoints`

function answerOf<T>(view: ChainView, endpoint: string, reply: Reply, shape: z.ZodType<T>): T {
  const path = pathOf(view, endpoint)
  if (reply.type === 'refused' && missingStatuses.has(reply.status))
    throw new Unavailable('chain', `${path}: ${reply.reason}: ${unserved(view)}`, { cause: view })
  if (reply.type !== 'answered') throw new Unavailable('chain', `${path}: ${reply.reason}`)
  const { data, error } = shape.safeParse(reply.body)
  if (!error) return data
  const reason = z.prettifyError(error).slice(0, 200)
  throw new Unavailable('chain', `${path}: invalid answer: ${reason}`)
}
