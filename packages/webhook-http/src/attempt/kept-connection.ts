import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'

/** The connection of a request that had served another one, and what was read from it before. */
type KeptConnection = { readonly socket: Socket; readonly bytesRead: number }

const kept = new WeakMap<Dispatcher.DispatchHandler, KeptConnection>()

/** Whether the request of this handler was written to a connection that had been kept, and not one byte came back. */
export function metKeptConnection(handler: Dispatcher.DispatchHandler): boolean {
  const connection = kept.get(handler)
  return connection !== undefined && connection.socket.bytesRead === connection.bytesRead
}

type Options = Client.Options & { readonly connect: buildConnector.connector }

/** A client that notes which requests it writes to a connection that has served another one. */
export function notingClient(origin: URL, { connect, ...options }: Options): Client {
  let socket: Socket | undefined
  let isNew = true
  const client = new Client(origin, {
    ...options,
    connect: (target, callback) =>
      connect(target, (...result) => {
        if (result[1]) [socket, isNew] = [result[1], true]
        callback(...result)
      }),
  })
  const dispatch = client.dispatch.bind(client)
  client.dispatch = (request, handler) =>
    dispatch(request, {
      ...handler,
      onRequestStart: (controller, context) => {
        handler.onRequestStart?.(controller, context)
        if (socket && !isNew) kept.set(handler, { socket, bytesRead: socket.bytesRead })
        isNew = false
      },
    })
  return client
}
