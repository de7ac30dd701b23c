import type { Dispatcher } from 'undici'
import { z } from 'zod'

/** What became of one attempt. */
export type Reply =
  | { readonly type: 'answered'; readonly body: unknown }
  /** The provider wants fewer requests. */
  | { readonly type: 'too_much'; readonly reason: string }
  /** No whole answer; the next attempt may bring one. */
  | { readonly type: 'lost'; readonly reason: string }
  /** To ask again would bring the same. */
  | { readonly type: 'refused'; readonly reason: string }

/** Nodes and gateways tell of too many requests by any of these. */
const tooMuch: ReadonlySet<number> = new Set([403, 429, 503])

/** Sends one request. Never throws. */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
): Promise<Reply> {
  try {
    const { statusCode, body } = await dispatcher.request(request)
    const text = await body.text()
    if (statusCode === 200) return read(text)
    const reason = `status ${statusCode}`
    if (tooMuch.has(statusCode)) return { type: 'too_much', reason }
    return { type: statusCode >= 500 ? 'lost' : 'refused', reason }
  } catch (error) {
    return { type: 'lost', reason: reasonOf(error) }
  }
}

/** Of java-tron: 200 all the same. */
const ErrorAnswer = z.object({ Error: z.string() })
const limiter = 'lack of computing resources'

function read(text: string): Reply {
  const body = parsed(text)
  if (body === undefined) return { type: 'refused', reason: `no JSON: ${text.slice(0, 80)}` }
  const { data: error } = ErrorAnswer.safeParse(body)
  if (!error) return { type: 'answered', body }
  return { type: error.Error.includes(limiter) ? 'too_much' : 'refused', reason: error.Error }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `ECONNREFUSED`, `TimeoutError`: the code alone, since messages carry addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
