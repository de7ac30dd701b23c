import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

export type Forwarded = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Asks the server behind the proxy. */
export type Forward = (
  path: string,
  headers: IncomingHttpHeaders,
  body: string,
  signal: AbortSignal,
) => Promise<Forwarded>

/** What belongs to one connection or one body, and neither to what is passed on. */
const own = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
])

const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)))

/** `stop` ends its connections. */
export function forwarder(target: string): { readonly forward: Forward; stop(): void } {
  const agent = new Agent({ keepAlive: true })
  const forward: Forward = async (path, headers, body, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const sent = request(new URL(path, target), {
      agent,
      method: 'POST',
      headers: { ...passedOn(headers), 'content-length': Buffer.byteLength(body) },
      signal,
    })
    sent.on('response', resolve).on('error', reject).end(body)
    const answer = await promise
    const { statusCode = 502 } = answer
    return { status: statusCode, headers: passedOn(answer.headers), body: await text(answer) }
  }
  return { forward, stop: () => agent.destroy() }
}
