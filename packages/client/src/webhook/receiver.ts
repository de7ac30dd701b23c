import type { RawBody } from './signature.ts'
import {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'

export type ReceiverOptions = Omit<VerifyOptions, 'now'> & {
  /** The endpoint's secret, or several during a rotation. */
  readonly secrets: string | readonly string[]
  /**
   * Handles an event. Store it and return: the service waits 10 seconds for the answer.
   *
   * When it throws, the answer is 500 and the event is sent again. Events can arrive more than once and
   * out of order: trust the payout's `status`.
   */
  onEvent(event: WebhookEvent): Promise<void> | void
  /** Whether the event with this id has been handled: then it is answered without `onEvent`. */
  readonly seen?: ((eventId: string) => Promise<boolean> | boolean) | undefined
  /** Receives the error behind an answer of 400 or 500. Default: `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined
}

type Answer = { readonly status: 204 | 400 | 500; readonly text: string }

/** The largest event is a few KiB. */
const bodyBytesMax = 1024 * 1024

async function receive(
  options: ReceiverOptions,
  read: () => Promise<{ readonly body: RawBody; readonly headers: WebhookHeaders }>,
): Promise<Answer> {
  try {
    const { body, headers } = await read()
    const event = await verifyWebhook(body, headers, options.secrets, options)
    if (!(await options.seen?.(event.id))) await options.onEvent(event)
    return { status: 204, text: '' }
  } catch (error) {
    report(options, error)
    // The delivery's `response_excerpt` shows this text.
    return error instanceof WebhookVerificationError
      ? { status: 400, text: error.reason }
      : { status: 500, text: 'The event was not handled' }
  }
}

function report({ onError }: ReceiverOptions, error: unknown): void {
  if (onError) onError(error)
  // oxlint-disable-next-line no-console -- The default, so that no error is lost.
  else console.error(error)
}

/**
 * Receives webhooks in runtimes with Fetch requests: Workers, Bun, Deno, Next, Hono.
 *
 * The body of the request must be unread.
 */
export const fetchReceiver =
  (options: ReceiverOptions): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const { status, text } = await receive(options, async () => ({
      body: await collected(request.body ? chunksOf(request.body) : []),
      headers: request.headers,
    }))
    return new Response(status === 204 ? null : text, { status })
  }

/** The members of a request that are used: those of Express and Node match. */
export type NodeRequest = AsyncIterable<Uint8Array | string> & {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
  readonly readableEnded?: boolean
}

/** The members of a response that are used. */
export type NodeResponse = {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(text?: string): unknown
}

/**
 * Receives webhooks in Express or Node's own server: `app.post('/quipu', expressReceiver(…))`.
 *
 * It reads the body: register it before `express.json()`, or behind `express.raw()`.
 */
export const expressReceiver =
  (options: ReceiverOptions): ((request: NodeRequest, response: NodeResponse) => Promise<void>) =>
  async (request, response) => {
    const { status, text } = await receive(options, async () => ({
      body: await rawBody(request),
      headers: request.headers,
    }))
    response.statusCode = status
    if (text !== '') response.setHeader('Content-Type', 'text/plain')
    response.end(text)
  }

async function rawBody(request: NodeRequest): Promise<RawBody> {
  const { body } = request
  if (body instanceof Uint8Array || typeof body === 'string') return body
  if (request.readableEnded) {
    throw new TypeError(
      'The body was parsed before it could be verified: register expressReceiver before express.json()',
    )
  }
  return collected(request)
}

/** Some runtimes have streams that are not async iterable. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
}

async function collected(
  chunks: AsyncIterable<Uint8Array | string> | never[],
): Promise<Uint8Array> {
  const found: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    length += bytes.length
    if (length > bodyBytesMax) throw new WebhookVerificationError('unreadable')
    found.push(bytes)
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const bytes of found) {
    body.set(bytes, at)
    at += bytes.length
  }
  return body
}
