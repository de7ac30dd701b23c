/**
 * Receives webhooks in Express, and in Node's own server.
 *
 * @module @quipu/client/express
 */
import { collected, isRaw } from './raw-body.ts'
import { receiving, type ReceiverOptions } from './receive.ts'
import type { RawBody } from './signature.ts'

export type { ReceiverOptions } from './receive.ts'

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
 * Receives webhooks: `app.post('/quipu', expressReceiver(…))`.
 *
 * It reads the body: register it before `express.json()`, or behind `express.raw()`.
 *
 * @throws TypeError when there is no secret, or one of them is no text or blank
 */
export const expressReceiver = (
  options: ReceiverOptions,
): ((request: NodeRequest, response: NodeResponse) => Promise<void>) => {
  const receive = receiving(options)
  return async (request, response) => {
    const { status, text } = await receive(async () => ({ body: await rawBody(request), headers: request.headers }))
    response.statusCode = status
    if (text !== '') response.setHeader('Content-Type', 'text/plain')
    response.end(text)
  }
}

async function rawBody(request: NodeRequest): Promise<RawBody> {
  const { body } = request
  if (isRaw(body)) return body
  if (request.readableEnded) {
    throw new TypeError(
      'The body was parsed before it could be verified: register expressReceiver before express.json()',
    )
  }
  return collected(request)
}
