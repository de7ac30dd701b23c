import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

export type Forwarded = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

/** Sends a request to the server behind the proxy. */
export type Forward = (
  path: string,
  headers: IncomingHttpHeaders,
  body: string,
  signal: AbortSignal,
) => Promise<Forwarded>

/** Headers of one connection or body, which are not forwarded. */
const hopByHop = new Set(['accept-encoding', 'connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])

const forwardedHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)))

/** @returns `forward`, and `stop`, which closes the connections */
export function forwarder(target: string): { readonly forward: Forward; stop(): void } {
  const agent = new Agent({ keepAlive: true })
  const forward: Forward = async (path, headers, body, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const sent = request(new URL(path, target), {
      agent,
      method: 'POST',
      headers: { ...forwardedHeaders(headers), 'content-length': Buffer.byteLength(body) },
      signal,
    })
    sent.on('response', resolve).on('error', reject).end(body)
    const answer = await promise
    const { statusCode = 502 } = answer
    return { status: statusCode, headers: forwardedHeaders(answer.headers), body: await text(answer) }
  }
  return { forward, stop: () => agent.destroy() }
}
