import { type Timer, Unavailable } from '@quipu/core'
import { type ChainView, withTimeout } from '@quipu/core/adapter'
import { type HttpRequestEnd, inHttpSpan } from '@quipu/tracing'
import { Pool } from 'undici'
import { z } from 'zod'
import { exchange, type Reply } from './exchange.ts'
import { createRateLimiter } from './rate-limiter.ts'

export type TronNodeOptions = {
  /** URL of the full node without `/wallet`, such as `https://api.shasta.trongrid.io`. */
  readonly url: string
  /** URL of the solidity node, if it is another one. */
  readonly solidUrl?: string
  /** Sent as `TRON-PRO-API-KEY`. */
  readonly apiKey?: string
  /** The provider's rate limit for both nodes together; 10 by default. */
  readonly requestsPerSecond?: number
  /** Deadline of one attempt; 5 s by default. */
  readonly timeoutMs?: number
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
  /** Waits before a retry: longer each time, with jitter. */
  backOff(attempt: number): Promise<void>
  /** Aborts running requests, which throw `Unavailable`. */
  stop(): Promise<void>
}

/** A block has at most 2 MB; its JSON with logs is several times larger. */
const answerBytesMax = 64 * 1024 * 1024

/** Create one per provider and key, because it keeps the rate limit. */
export function tronNode(options: TronNodeOptions): TronNode {
  const { attempts = 4, timeoutMs = 5_000 } = options
  const limiter = createRateLimiter(options.requestsPerSecond ?? 10, () => performance.now())
  const stopping = new AbortController()
  const wait = waitWith(options.timer, stopping.signal)
  const { url, solidUrl = url } = options
  const targets = { head: targetOf(url), solid: targetOf(solidUrl) }
  const headers = {
    'content-type': 'application/json',
    ...(options.apiKey !== undefined && { 'TRON-PRO-API-KEY': options.apiKey }),
  }
  const send = async (view: ChainView, path: string, body: string | Uint8Array): Promise<Reply> => {
    await wait(limiter.reserve())
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)])
    const { pool, prefix, url } = targets[view]
    const request = { method: 'POST', path: `${prefix}/${path}`, body, signal } as const
    return inHttpSpan(
      { scope: '@quipu/tron', method: 'POST', url, template: `/${path}` },
      (traceHeaders) => exchange(pool, { ...request, headers: { ...headers, ...traceHeaders } }),
      endOf,
    )
  }
  return {
    async request(view, endpoint, body, shape) {
      const path = `${view === 'head' ? 'wallet' : 'walletsolidity'}/${endpoint}`
      const sent = body instanceof Uint8Array ? body : JSON.stringify(body)
      for (let attempt = 1; ; attempt++) {
        const reply = await send(view, path, sent)
        if (reply.type === 'answered') return parsed(path, reply.body, shape)
        if (reply.type === 'refused' || attempt >= attempts)
          throw new Unavailable('chain', `${path}: ${reply.reason}`)
        if (reply.type === 'rate_limited') limiter.backOff(backOffMs(attempt))
        else await wait(backOffMs(attempt))
      }
    },
    backOff: (attempt) => wait(backOffMs(attempt)),
    async stop() {
      stopping.abort()
      await Promise.all([targets.head.pool.destroy(), targets.solid.pool.destroy()])
    },
  }
}

/** A node answers with status 200 also when it refuses. */
const endOf = (reply: Reply): HttpRequestEnd =>
  reply.type === 'answered' ? { status: 200 } : { error: reply.type }

type Target = { readonly pool: Pool; readonly prefix: string; readonly url: URL }

/** The request's signal is its only deadline. */
function targetOf(url: string): Target {
  const parsedUrl = new URL(url)
  const { origin, pathname } = parsedUrl
  const limits = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: answerBytesMax }
  return {
    pool: new Pool(origin, { connections: 32, ...limits }),
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
const backOffMs = (attempt: number): number =>
  Math.min(250 * 2 ** (attempt - 1), 4_000) * (0.5 + Math.random() / 2)

function parsed<T>(path: string, body: unknown, shape: z.ZodType<T>): T {
  const { data, error } = shape.safeParse(body)
  if (!error) return data
  const reason = z.prettifyError(error).slice(0, 200)
  throw new Unavailable('chain', `${path}: invalid answer: ${reason}`)
}
