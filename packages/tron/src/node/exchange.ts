import type { Dispatcher } from 'undici'
import { z } from 'zod'

/** Result of one attempt. */
export type Reply =
  | { readonly type: 'answered'; readonly body: unknown }
  /** The provider limits the request rate. */
  | { readonly type: 'rate_limited'; readonly reason: string }
  /** No complete answer, or one that says so itself; a retry may succeed. */
  | { readonly type: 'lost'; readonly reason: string }
  /** No complete answer within the deadline. The node goes on with the request. */
  | { readonly type: 'late'; readonly reason: string }
  /** An answer of more bytes than the limit. */
  | { readonly type: 'too_large'; readonly reason: string }
  /** An error that a retry would repeat. `status` is missing when it came with 200. */
  | { readonly type: 'refused'; readonly reason: string; readonly status?: number }

/** Statuses with which nodes and gateways limit the rate. */
const rateLimitStatuses: ReadonlySet<number> = new Set([403, 429, 503])

/** Sends one request and reads an answer of at most `bytesMax`. Never throws. */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  bytesMax: number,
): Promise<Reply> {
  try {
    const { statusCode, body } = await dispatcher.request(request)
    const text = await textOf(body, bytesMax)
    if (text === undefined) return { type: 'too_large', reason: `more than ${bytesMax} bytes` }
    if (statusCode === 200) return read(text)
    const reason = `status ${statusCode}`
    if (rateLimitStatuses.has(statusCode)) return { type: 'rate_limited', reason }
    return statusCode >= 500 ? { type: 'lost', reason } : { type: 'refused', reason, status: statusCode }
  } catch (error) {
    const reason = reasonOf(error)
    return { type: reason === 'TimeoutError' ? 'late' : 'lost', reason }
  }
}

/** Undefined when there are more bytes. Leaving the loop closes the connection. */
async function textOf(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** An error of java-tron, which has status 200. */
const ErrorAnswer = z.object({ Error: z.string() })
const limiter = 'lack of computing resources'

/** A simulated call; `message` is hex-encoded text. */
const SimulationAnswer = z.object({ result: z.object({ message: z.string() }) })
/** The node had no time for the call: it is busy, or collects garbage. */
const outOfTime = 'CPU timeout'

function read(text: string): Reply {
  const body = parsed(text)
  if (body === undefined) return { type: 'refused', reason: `not JSON: ${text.slice(0, 80)}` }
  const { data: error } = ErrorAnswer.safeParse(body)
  if (error) return { type: error.Error.includes(limiter) ? 'rate_limited' : 'refused', reason: error.Error }
  const { data: simulation } = SimulationAnswer.safeParse(body)
  const message = Buffer.from(simulation?.result.message ?? '', 'hex').toString()
  return message.includes(outOfTime) ? { type: 'lost', reason: message } : { type: 'answered', body }
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
