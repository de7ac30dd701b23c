/**
 * Receives webhooks in Fastify.
 *
 * @module @quipu/client/fastify
 */
import { webhookBytesMax } from './raw-body.ts'
import { receiving, type ReceiverOptions } from './receive.ts'
import type { RawBody } from './signature.ts'
import type { WebhookHeaders } from './verify-webhook.ts'

export type { ReceiverOptions } from './receive.ts'

/** Options of a receiver as a plugin of Fastify. */
export type FastifyReceiverOptions = ReceiverOptions & {
  /** The path of the route. */
  readonly path: string
}

type FastifyRequest = { readonly headers: WebhookHeaders; readonly body: unknown }

type FastifyReply = { code(status: number): { send(text?: string): unknown } }

/** The members of an instance that are used: those of Fastify 4 and 5 match. */
export type FastifyScope = {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: never, body: Uint8Array & string, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
}

/**
 * Receives webhooks: `await app.register(fastifyReceiver({ path: '/quipu', secrets, onEvent }))`.
 *
 * It is a plugin with a scope of its own: there bodies stay raw, and elsewhere they are parsed as before.
 *
 * @throws TypeError when there is no path or secret, or a secret is no text or blank
 */
export const fastifyReceiver = ({
  path,
  ...options
}: FastifyReceiverOptions): ((scope: FastifyScope) => Promise<void>) => {
  if (typeof path !== 'string')
    throw new TypeError('Pass options: app.register(fastifyReceiver({ path, secrets, onEvent }))')
  const receive = receiving(options)
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    const settings = { parseAs: 'buffer', bodyLimit: webhookBytesMax } as const
    scope.addContentTypeParser('*', settings, (_request, body, done) => done(null, body))
    scope.post(path, async ({ headers, body }, reply) => {
      const delivered = { headers, body: (body ?? '') as RawBody }
      const { status, text } = await receive(() => delivered)
      return reply.code(status).send(text === '' ? undefined : text)
    })
  }
}
