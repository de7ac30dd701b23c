import type { RawBody } from './signature.ts'
import {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'

export type ReceiverOptions = Omit<VerifyOptions, 'now'> & {
  /** The endpoint's secret, or several while one is exchanged for another. */
  readonly secrets: string | readonly string[]
  /**
   * Takes an event. Store it and return: the service waits 10 seconds, and work can wait.
   *
   * When it throws, the answer is 500 and the event comes again. Events may come more than once and
   * in another order: trust the payout's `status`.
   */
  onEvent(event: WebhookEvent): Promise<void> | void
  /** Whether the event of this id was taken before: then it is answered and not taken again. */
  readonly seen?: ((eventId: string) => Promise<boolean> | boolean) | undefined
  /** Told of what was answered 400 or 500. Default: the console. */
  readonly onError?: ((error: unknown) => void) | undefined
}

type Answer = { readonly status: 204 | 400 | 500; readonly text: string }

/** Larger bodies are nobody's: the largest event is a few KiB. */
const largestBytes = 1024 * 1024

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
    // It shows in the delivery's `response_excerpt`.
    return error instanceof WebhookVerificationError
      ? { status: 400, text: error.reason }
      : { status: 500, text: 'The event was not taken' }
  }
}

function report({ onError }: ReceiverOptions, error: unknown): void {
  if (onError) onError(error)
  // oxlint-disable-next-line no-console -- Better there than nowhere: the answer tells nobody here.
  else console.error(error)
}

/**
 * Receives webhooks where requests and responses are those of Fetch: Workers, Bun, Deno, Next, Hono.
 *
 * Hand it the request with its body unread.
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

/** As much of a request as is needed: Express's and Node's fit. */
export type NodeRequest = AsyncIterable<Uint8Array | string> & {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
  readonly readableEnded?: boolean
}

/** As much of a response as is needed. */
export type NodeResponse = {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(text?: string): unknown
}

/**
 * Receives webhooks in Express, or in Node's own server: `app.post('/quipu', expressReceiver(…))`.
 *
 * It reads the body itself: register it before `express.json()`, or behind `express.raw()`.
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

/** Not every runtime can walk through a stream by itself. */
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
    if (length > largestBytes) throw new WebhookVerificationError('unreadable')
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
