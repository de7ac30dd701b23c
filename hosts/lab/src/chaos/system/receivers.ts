import { verifyWebhook } from '@quipu/client'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * How a receiver answers: `ok` and `slow` accept every event, `slow` after 1.5 s; the others accept none.
 * `cut` closes the connection in place of an answer.
 */
export type ReceiverKind = 'ok' | 'slow' | 'error' | 'cut' | 'redirect'

export const accepts = (kind: ReceiverKind): boolean => kind === 'ok' || kind === 'slow'

/** A tenant's webhook server. */
export type Receiver = {
  readonly kind: ReceiverKind
  readonly url: string
  /** The endpoint's signing secret. */
  secret: string
  /** Bodies of the verified arrivals, by event id. */
  readonly arrivals: ReadonlyMap<string, readonly string[]>
  /** Arrivals without a valid signature. */
  readonly rejections: readonly string[]
  /** Refuses connections until `open`. */
  shut(): Promise<void>
  open(): Promise<void>
  stop(): Promise<void>
}

export async function openReceiver(kind: ReceiverKind): Promise<Receiver> {
  const arrivals = new Map<string, string[]>()
  const rejections: string[] = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const verified = await verifyWebhook(body, request.headers, receiver.secret).catch(
      (error: unknown) => void rejections.push(`${String(error)}: ${body.toString()}`),
    )
    if (kind === 'slow') await pause(1_500)
    if (kind === 'cut') return void request.socket.destroy()
    if (verified && accepts(kind)) {
      const before = arrivals.get(verified.id) ?? []
      arrivals.set(verified.id, [...before, body.toString()])
    }
    const [status, headers] = answers[kind]
    response.writeHead(status, headers).end()
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  const open = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await open(0)
  const receiver: Receiver = {
    kind,
    url: `http://127.0.0.1:${port}/hook`,
    secret: '',
    arrivals,
    rejections,
    shut: () => close(server),
    open: async () => void (server.listening || (await open(port))),
    stop: () => close(server),
  }
  return receiver
}

const answers: Readonly<Record<ReceiverKind, readonly [number, Record<string, string>]>> = {
  ok: [204, {}],
  slow: [204, {}],
  cut: [204, {}],
  error: [500, {}],
  redirect: [302, { location: 'http://127.0.0.1:9/elsewhere' }],
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
