import { type Timer, Unavailable } from '@quipu/core'
import { type ChainView, withTimeout } from '@quipu/core/adapter'
import { Pool } from 'undici'
import { z } from 'zod'
import { exchange, type Reply } from './exchange.ts'
import { createPace } from './pace.ts'

export type TronNodeOptions = {
  /** Of the full node, without `/wallet`: `https://api.shasta.trongrid.io`. */
  readonly url: string
  /** Of the solidity node, when it is another one. */
  readonly solidUrl?: string
  /** Sent as `TRON-PRO-API-KEY`. */
  readonly apiKey?: string
  /** What the provider allows of both nodes together; 10 by default. */
  readonly requestsPerSecond?: number
  /** For the whole answer to one attempt; 5 s by default. */
  readonly timeoutMs?: number
  /** How often a request is sent at most; 4 by default. */
  readonly attempts?: number
  readonly timer: Timer
}

/** A provider of the chain: its full node, its solidity node, and one quota for both. */
export type TronNode = {
  /**
   * Sent again, after a while, when the provider is busy or the connection fails: so only what is
   * safe to send twice.
   *
   * @param endpoint  such as `getblockbynum`
   * @param body  an object, or the bytes of its JSON
   * @throws Unavailable when there is no answer, or one that has another shape
   */
  ask<T>(view: ChainView, endpoint: string, body: object, shape: z.ZodType<T>): Promise<T>
  /** Waits before the next attempt at something: longer each time, and never the same. */
  backOff(attempt: number): Promise<void>
  /** Calls off what is under way, which ends as `Unavailable`. */
  stop(): Promise<void>
}

/** A block weighs 2 MB at most; as JSON, with its logs, some times that. */
const answerBytesMax = 64 * 1024 * 1024

/** Nodes of the same provider and key should share one of these: it keeps the quota. */
export function tronNode(options: TronNodeOptions): TronNode {
  const { attempts = 4, timeoutMs = 5_000 } = options
  const pace = createPace(options.requestsPerSecond ?? 10, () => performance.now())
  const stopping = new AbortController()
  const wait = waitWith(options.timer, stopping.signal)
  const { url, solidUrl = url } = options
  const doors = { head: doorOf(url), solid: doorOf(solidUrl) }
  const headers = {
    'content-type': 'application/json',
    ...(options.apiKey !== undefined && { 'TRON-PRO-API-KEY': options.apiKey }),
  }
  const send = async (view: ChainView, path: string, body: string | Uint8Array): Promise<Reply> => {
    await wait(pace.take())
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)])
    const { pool, prefix } = doors[view]
    return exchange(pool, { method: 'POST', path: `${prefix}/${path}`, headers, body, signal })
  }
  return {
    async ask(view, endpoint, body, shape) {
      const path = `${view === 'head' ? 'wallet' : 'walletsolidity'}/${endpoint}`
      const sent = body instanceof Uint8Array ? body : JSON.stringify(body)
      for (let attempt = 1; ; attempt++) {
        const reply = await send(view, path, sent)
        if (reply.type === 'answered') return shaped(path, reply.body, shape)
        if (reply.type === 'refused' || attempt >= attempts)
          throw new Unavailable('chain', `${path}: ${reply.reason}`)
        if (reply.type === 'too_much') pace.holdOff(backOffMs(attempt))
        else await wait(backOffMs(attempt))
      }
    },
    backOff: (attempt) => wait(backOffMs(attempt)),
    async stop() {
      stopping.abort()
      await Promise.all([doors.head.pool.destroy(), doors.solid.pool.destroy()])
    },
  }
}

type Door = { readonly pool: Pool; readonly prefix: string }

/** A request has one deadline, its signal. */
function doorOf(url: string): Door {
  const { origin, pathname } = new URL(url)
  const limits = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: answerBytesMax }
  return {
    pool: new Pool(origin, { connections: 32, ...limits }),
    prefix: pathname.replace(/\/+$/, ''),
  }
}

function waitWith(timer: Timer, stopping: AbortSignal): (ms: number) => Promise<void> {
  return async (ms) => {
    const refuse = (): Unavailable => new Unavailable('chain', 'stopped')
    if (stopping.aborted) throw refuse()
    if (ms <= 0) return
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    const onAbort = (): void => reject(refuse())
    stopping.addEventListener('abort', onAbort)
    try {
      await withTimeout(timer, ms, stopped)
    } finally {
      stopping.removeEventListener('abort', onAbort)
    }
  }
}

/** A quarter of a second, doubled each time up to 4 s; then a half to all of it. */
const backOffMs = (attempt: number): number =>
  Math.min(250 * 2 ** (attempt - 1), 4_000) * (0.5 + Math.random() / 2)

function shaped<T>(path: string, body: unknown, shape: z.ZodType<T>): T {
  const { data, error } = shape.safeParse(body)
  if (!error) return data
  const reason = z.prettifyError(error).slice(0, 200)
  throw new Unavailable('chain', `${path}: an unexpected answer: ${reason}`)
}
