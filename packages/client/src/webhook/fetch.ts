/**
 * Receives webhooks in runtimes with Fetch requests: Hono, Next, Workers, Bun, Deno.
 *
 * @module @quipu/client/fetch
 */
import { collected } from './raw-body.ts'
import { receiving, type ReceiverOptions } from './receive.ts'

export type { ReceiverOptions } from './receive.ts'

/**
 * Receives webhooks. The body of the request must be unread.
 *
 * - Workers, Bun, Deno: `export default { fetch: fetchReceiver(…) }`
 * - Next, `app/quipu/route.ts`: `export const POST = fetchReceiver(…)`
 * - Hono: `app.post('/quipu', (context) => receiver(context.req.raw))`
 *
 * @throws TypeError when there is no secret, or one of them is no text or blank
 */
export const fetchReceiver = (options: ReceiverOptions): ((request: Request) => Promise<Response>) => {
  const receive = receiving(options)
  return async (request) => {
    const { status, text } = await receive(async () => ({
      body: await collected(request.body ? chunksOf(request.body) : []),
      headers: request.headers,
    }))
    return new Response(status === 204 ? null : text, { status })
  }
}

/** Some runtimes have streams that are not async iterable. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
}
