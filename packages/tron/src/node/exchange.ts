import type { Dispatcher } from 'undici'
import { z } from 'zod'

/** Result of one attempt. */
export type Reply =
  | { readonly type: 'answered'; readonly body: unknown }
  /** The provider limits the request rate. */
  | { readonly type: 'rate_limited'; readonly reason: string }
  /** No complete answer; a retry may succeed. */
  | { readonly type: 'lost'; readonly reason: string }
  /** An error that a retry would repeat. */
  | { readonly type: 'refused'; readonly reason: string }

/** Statuses with which nodes and gateways limit the rate. */
const rateLimitStatuses: ReadonlySet<number> = new Set([403, 429, 503])

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
    if (rateLimitStatuses.has(statusCode)) return { type: 'rate_limited', reason }
    return { type: statusCode >= 500 ? 'lost' : 'refused', reason }
  } catch (error) {
    return { type: 'lost', reason: reasonOf(error) }
  }
}

/** An error of java-tron, which has status 200. */
const ErrorAnswer = z.object({ Error: z.string() })
const limiter = 'lack of computing resources'

function read(text: string): Reply {
  const body = parsed(text)
  if (body === undefined) return { type: 'refused', reason: `not JSON: ${text.slice(0, 80)}` }
  const { data: error } = ErrorAnswer.safeParse(body)
  if (!error) return { type: 'answered', body }
  return { type: error.Error.includes(limiter) ? 'rate_limited' : 'refused', reason: error.Error }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Only the code, such as `ECONNREFUSED`, because messages contain addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
